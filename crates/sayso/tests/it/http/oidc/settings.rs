//! Tests of the settings: what is missing or unsafe stops the server, and an issuer that cannot be reached is named.

use crate::support::issuer::hostile_issuer::HostileIssuer;
use crate::support::issuer::npm_issuer::write_secret;
use crate::support::served_desk::ServedDesk;
use crate::support::test_world::TestWorld;

const ISSUER: &str = "issuer = \"https://login.example.com\"\n";
const CLIENT: &str = "client_id = \"desk\"\n";

fn write_table(world: &TestWorld, table: &str) {
    world.write("config/sayso/config.toml", format!("[server.oidc]\n{table}"));
}

#[test]
fn incomplete_settings_stop_the_server() {
    let world = TestWorld::new();
    let secret = format!("client_secret_file = \"{}\"\n", write_secret(&world));
    world.write("config/sayso/empty", "\n");
    world.write("config/sayso/open", "secret\n");
    let mode = |name: &str, mode: u32| {
        use std::os::unix::fs::PermissionsExt as _;
        let path = world.path(&format!("config/sayso/{name}"));
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
    };
    mode("empty", 0o600);
    mode("open", 0o644);
    let groups = "groups = [\"desk\"]\n";
    let wrong = [
        (format!("{CLIENT}{secret}{groups}"), "lacks issuer"),
        (format!("{ISSUER}{secret}{groups}"), "lacks client_id"),
        (format!("{ISSUER}{CLIENT}{groups}"), "lacks client_secret_file"),
        (format!("{ISSUER}{CLIENT}{secret}"), "names no one who may sign in"),
        (format!("{ISSUER}{CLIENT}{secret}admin_groups = [\"boss\"]\n"), "names no one who may sign in"),
        (format!("{ISSUER}{CLIENT}{secret}group = \"desk\"\n"), "unknown field `group`"),
        (format!("{ISSUER}{CLIENT}{secret}{groups}session_hours = 13\n"), "from 1 to 12"),
        (format!("issuer = \"http://login.example.com\"\n{CLIENT}{secret}{groups}"), "cannot be an issuer"),
        (format!("{ISSUER}{CLIENT}{groups}client_secret_file = \"none\"\n"), "config/sayso/none"),
        (format!("{ISSUER}{CLIENT}{groups}client_secret_file = \"empty\"\n"), "holds no client secret"),
        (format!("{ISSUER}{CLIENT}{groups}client_secret_file = \"open\"\n"), "Others can read"),
    ];
    for (table, words) in wrong {
        write_table(&world, &table);
        let ended = world.sayso(["serve", "--listen", "127.0.0.1:0"]).run();
        assert_eq!((ended.exit, ended.stdout.as_str()), (2, ""), "{table}: {ended:?}");
        assert!(ended.stderr.contains(words) && !ended.stderr.contains("secret-of"), "{words}: {ended:?}");
    }
    // Other commands do not depend on it.
    assert_eq!(world.sayso(["list"]).run().exit, 0);
    write_table(&world, &format!("{ISSUER}{CLIENT}{secret}{groups}"));
    let clear = ["serve", "--listen", "127.0.0.1:0", "--public-url", "http://desk.example.com"];
    let ended = world.sayso(clear).run();
    assert_eq!(ended.exit, 2);
    assert!(ended.stderr.contains("in the clear"), "{ended:?}");
}

#[test]
fn unreachable_issuer_is_named() {
    let world = TestWorld::new();
    let secret = write_secret(&world);
    // No one listens on this port.
    let gone = "http://127.0.0.1:9";
    write_table(
        &world,
        &format!("issuer = \"{gone}\"\n{CLIENT}client_secret_file = \"{secret}\"\ngroups = [\"desk\"]\n"),
    );
    let served = ServedDesk::start(&world);
    served.program.stderr.wait_for("Cannot reach the issuer http://127.0.0.1:9", 0);
    let page = served.without_token().get("/login");
    assert!(page.text().contains("Sign in with 127.0.0.1:9"), "{}", page.text());
    let key = crate::support::browser::test_browser::TestBrowser::new(&served.address).public_key();
    let refused = served.without_token().get(&format!("/login/oidc?key={key}"));
    assert_eq!(refused.status, 502);
    assert!(refused.text().contains("Cannot reach the issuer"), "{}", refused.text());
    let doctor = world.sayso(["doctor"]).run();
    assert!(doctor.exit == 7 && doctor.stdout.contains("✗ Cannot reach the issuer"), "{doctor:?}");

    let issuer = HostileIssuer::start();
    let url = issuer.url();
    write_table(
        &world,
        &format!("issuer = \"{url}\"\n{CLIENT}client_secret_file = \"{secret}\"\ngroups = [\"desk\"]\n"),
    );
    let doctor = world.sayso(["doctor"]).run();
    assert_eq!(doctor.exit, 0, "{doctor:?}");
    assert!(doctor.stdout.contains(&format!("✓ The issuer {url} can be reached.")), "{doctor:?}");
    // An issuer that calls itself by another name is another one.
    write_table(
        &world,
        &format!("issuer = \"{url}/\"\n{CLIENT}client_secret_file = \"{secret}\"\ngroups = [\"desk\"]\n"),
    );
    let doctor = world.sayso(["doctor"]).run();
    assert!(doctor.stdout.contains("unexpected issuer URI"), "{doctor:?}");
}
