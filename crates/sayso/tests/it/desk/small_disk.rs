//! Tests of a desk on an 8 MB disk that fills up. Stored asks are still read, answered and delivered, new askers hear
//! the cause, and a running program continues once space is free. Tests that may not mount use a limit on file size
//! instead.

use crate::mcp::host::{LEGACY, McpHost, text_of};
use crate::support::program::ProgramExit;
use crate::support::sample_requests::text;
use crate::support::test_world::{ProgramCall, TestWorld};
use serde_json::{Value, json};
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// Size of the disk.
const DISK_BYTES: u64 = 8 << 20;

/// World whose desk is on a small disk.
struct SmallDisk {
    world: TestWorld,
    /// Mount point; without one, file sizes are limited.
    mounted: Option<PathBuf>,
}

fn run_successfully(line: &[&str]) -> bool {
    let (program, args) = line.split_first().unwrap();
    let mut command = Command::new(program);
    command.args(args).env("PATH", "/usr/sbin:/usr/bin:/sbin:/bin");
    command.stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|status| status.success())
}

impl SmallDisk {
    fn new() -> Self {
        let mut world = TestWorld::new();
        let (image, disk) = (world.path("disk.image"), world.path("disk"));
        std::fs::create_dir(&disk).unwrap();
        std::fs::File::create(&image).unwrap().set_len(DISK_BYTES).unwrap();
        let (image, place) = (image.to_str().unwrap(), disk.to_str().unwrap());
        let is_mounted = run_successfully(&["mkfs.ext4", "-q", "-F", image])
            && run_successfully(&["mount", "-o", "loop", image, place]);
        if is_mounted {
            std::fs::write(disk.join("old pictures"), vec![7; 1 << 20]).unwrap();
        }
        world.set_var("SAYSO_DESK", format!("sqlite:{}", disk.join("desk.db").display()));
        world.allow_scripted_answers();
        Self { world, mounted: is_mounted.then_some(disk) }
    }

    /// Limits files of a program to the size of the disk.
    fn on_disk(&self, call: ProgramCall) -> ProgramCall {
        match self.mounted {
            Some(_) => call,
            None => call.by_shell(&format!("ulimit -S -f {}; exec \"$0\" \"$@\"", DISK_BYTES / 512)),
        }
    }

    fn run(&self, args: &[&str]) -> ProgramExit {
        self.on_disk(self.world.sayso(args)).run()
    }

    /// Fills the disk to the last byte.
    fn fill_up(&self) {
        if let Some(disk) = &self.mounted {
            let filler = std::fs::File::create(disk.join("filler")).unwrap();
            let _ = std::io::copy(&mut std::io::repeat(7), &mut &filler);
        }
    }

    /// Answers one ask by a program, and the other by a person who types.
    fn assert_answered_while_full(&self, by_program: &str, by_person: &str) {
        let waiting = self.world.sayso(["wait", by_person]).start();
        let answers = r#"{"answers":{"text":"said in time"}}"#;
        assert_eq!(self.run(&["answer", by_program, "--answers", answers]).exit, 0);
        let mut terminal = self.world.sayso(["answer", by_person, "--plain"]).on_terminal();
        terminal.expect("/help): ").line(&"x".repeat(3_000)).expect("Sent.");
        assert_eq!(terminal.wait().exit, 0);
        let given = waiting.wait();
        assert!(given.exit == 0 && given.stdout.contains("xxx"), "{given:?}");
    }

    /// Frees the space, also for a running program.
    fn make_room(&self, pid: u32) {
        match &self.mounted {
            Some(disk) => {
                for name in ["filler", "old pictures"] {
                    std::fs::remove_file(disk.join(name)).unwrap();
                }
            }
            None => assert!(run_successfully(&["prlimit", "--pid", &pid.to_string(), "--fsize=unlimited"])),
        }
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        if let Some(disk) = &self.mounted {
            // Lazily: a program that is just ending may still have the desk open.
            run_successfully(&["umount", "-l", disk.to_str().unwrap()]);
        }
    }
}

fn large_request(number: usize) -> Value {
    json!({ "title": format!("large {number}"), "key": format!("large {number}"), "max_wait_s": 0,
            "questions": [{ "id": "text", "prompt": "long ".repeat(40_000) }] })
}

#[test]
fn full_disk_still_serves_stored_asks() {
    let small = SmallDisk::new();
    let answers = r#"{"answers":{"text":"said in time"}}"#;
    let [answered, open, later, typed] = ["answered", "open", "later", "typed"].map(|title| {
        let ended = small.run(&["ask", "--no-wait", &text(title)]);
        assert_eq!(ended.exit, 0, "{ended:?}");
        ended.stdout.trim_end().to_owned()
    });
    assert_eq!(small.run(&["answer", &answered, "--answers", answers]).exit, 0);

    let mut host = McpHost::with_session(small.on_disk(small.world.sayso(["mcp"])), LEGACY[1], &json!({}));
    let mut asked = 0;
    let refused = loop {
        let result = host.call("ask", &large_request(asked));
        if result["isError"] == true {
            break text_of(&result);
        }
        asked += 1;
        assert!(asked < 100, "the disk never fills up");
    };
    assert!(refused.starts_with("desk_full: The disk is full, so this change was not stored."), "{refused}");
    // A small answer fits into the space that a large question did not.
    assert_eq!(small.run(&["answer", &open, "--answers", answers]).exit, 0);
    small.fill_up();

    let listed = small.run(&["list", "--json", "--state", "all"]);
    let listed: Value = serde_json::from_str(&listed.stdout).unwrap();
    assert_eq!(listed["asks"].as_array().unwrap().len(), asked + 4);
    for id in [&answered, &open] {
        assert!(small.run(&["show", id]).stdout.contains("said in time"));
        let given = small.run(&["wait", id]);
        assert!(given.exit == 0 && given.stdout.contains("said in time"), "{given:?}");
    }
    let status = host.call("wait_for_answer", &json!({ "ask_id": answered, "max_wait_s": 0 }));
    assert_ne!(status["structuredContent"]["status"], "pending", "{status}");
    assert!(text_of(&host.call("ask", &large_request(asked))).starts_with("desk_full: "));

    if small.mounted.is_some() {
        small.assert_answered_while_full(&later, &typed);
        // Existing asks are found, and new ones refused.
        let found = small.run(&["ask", &text("later")]);
        assert!(found.exit == 0 && found.stdout.contains("said in time"), "{found:?}");
        let refused = small.run(&["ask", "--no-wait", &text("new")]);
        assert!(refused.exit == 7 && refused.stderr.starts_with("sayso: The disk is full, "), "{refused:?}");
    }

    small.make_room(host.pid());
    if small.mounted.is_some() {
        // The same program continues; its question is of a size that fits now.
        let again =
            host.leave_ask(&json!({ "title": "after", "questions": [{ "id": "text", "prompt": "?" }] }));
        assert_eq!(small.run(&["answer", &again, "--answers", answers]).exit, 0);
    } else {
        host.leave_ask(&large_request(asked));
    }
}
