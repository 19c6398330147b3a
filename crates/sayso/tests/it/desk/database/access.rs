//! Who gets at a desk in a database: passwords from files, and a role with few rights.

use super::start_node;
use crate::support::test_world::TestWorld;
use sayso_desk::contract::DatabaseServer;
use std::os::unix::fs::PermissionsExt as _;

#[test]
fn password_comes_from_a_file() {
    let (world, server) = (TestWorld::new(), DatabaseServer::start());
    let owner = server.make_desk().to_string();
    server.make_role("desk0", "keyed", "open twice sesame");
    let desk = owner.replace("sayso@", "keyed@");
    let write = |name: &str, text: &str| {
        let path = world.write(name, text);
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o600)).unwrap();
        path
    };
    let own = write("password", "open twice sesame\n");
    let wrong = write("wrong", "open sesame\n");
    let pgpass = write("pgpass", "*:*:desk0:keyed:open twice sesame\n");
    let sayso = |args: &[&str]| world.sayso(args).env("SAYSO_DESK", &desk);

    for refused in [sayso(&["list"]), sayso(&["list"]).env("SAYSO_DESK_PASSWORD_FILE", &wrong)] {
        let refused = refused.run();
        assert_eq!(refused.exit, 7, "{refused:?}");
        assert!(refused.stderr.contains("SAYSO_DESK_PASSWORD_FILE"), "{refused:?}");
        assert!(!refused.stderr.contains("sesame"), "{refused:?}");
    }
    for (variable, file) in [("SAYSO_DESK_PASSWORD_FILE", &own), ("PGPASSFILE", &pgpass)] {
        let listed = sayso(&["list"]).env(variable, file).run();
        assert_eq!(listed.exit, 0, "{variable}: {listed:?}");
    }
    // This role reads and writes; it makes no tables.
    let made = sayso(&["token", "new", "--role", "person", "--account", "ada"]);
    let made = made.env("SAYSO_DESK_PASSWORD_FILE", &own).run();
    assert_eq!(made.exit, 0, "{made:?}");
    let node = start_node(&world, &owner);
    let ada = node.with_token(made.stdout.trim_end());
    ada.get("/v1/asks").json(200);
    let denied = server.client("desk0").query("SELECT has_schema_privilege('keyed', 'public', 'CREATE')");
    assert_eq!(denied, "f");
}
