//! Server whose databases lie on a small disk, in a mount namespace that ends with the server.

use super::{DatabaseServer, SOCKET_PORT, is_root};
use std::fs::File;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// Mounts the disk `$0` of `$1` megabytes, and runs the rest.
const MOUNT: &str =
    "mount -t tmpfs -o size=\"$1\"m,uid=postgres,gid=postgres,mode=700 sayso \"$0\" && shift && exec \"$@\"";

impl DatabaseServer {
    /// Starts a server whose new databases lie on a disk of this size. Its log of writes lies elsewhere, since a server
    /// without room for that stops.
    ///
    /// # Errors
    /// The reason why this machine makes no such disk.
    pub fn start_on_small_disk(megabytes: u32) -> Result<Self, String> {
        if !is_root() {
            return Err("only root may mount one".to_owned());
        }
        let tried = Self::mount_line().args([MOUNT, "/mnt", "1", "true"]).stderr(Stdio::piped()).output();
        let tried = tried.map_err(|error| error.to_string())?;
        if !tried.status.success() {
            return Err(String::from_utf8_lossy(&tried.stderr).trim_end().to_owned());
        }
        let server = Self::new(SOCKET_PORT);
        server.make_cluster();
        let disk = server.folder.join("disk");
        std::fs::create_dir(&disk).unwrap();
        let mut line = Self::mount_line();
        line.arg(MOUNT).arg(&disk).arg(megabytes.to_string());
        let start = server.launch_command(&[]);
        line.arg(start.get_program()).args(start.get_args());
        assert!(line.current_dir("/").stdout(Stdio::null()).status().unwrap().success());
        let client = server.client("postgres");
        client.query(&format!("CREATE TABLESPACE small LOCATION '{}'", disk.display()));
        client.query("ALTER DATABASE template1 SET TABLESPACE small");
        let pictures = vec![7; usize::try_from(megabytes).unwrap() << 18];
        std::fs::write(server.on_disk("pictures"), pictures).unwrap();
        Ok(server)
    }

    /// Returns the beginning of a command in a mount namespace of its own.
    fn mount_line() -> Command {
        let mut command = Command::new("unshare");
        command.args(["--mount", "--propagation", "private", "sh", "-c"]);
        command
    }

    /// Returns a file on the server's disk, as this process sees it.
    fn on_disk(&self, name: &str) -> PathBuf {
        let state = std::fs::read_to_string(self.folder.join("data/postmaster.pid")).unwrap();
        let pid = state.lines().next().unwrap();
        PathBuf::from(format!("/proc/{pid}/root{}/disk/{name}", self.folder.display()))
    }

    /// Takes the room that is left on the small disk.
    pub fn fill_disk(&self) {
        let file = File::create(self.on_disk("filler")).unwrap();
        let full = std::io::copy(&mut std::io::repeat(7), &mut &file).unwrap_err();
        assert_eq!(full.kind(), std::io::ErrorKind::StorageFull);
    }

    /// Frees a quarter of the small disk, and what was taken of it.
    pub fn clear_disk(&self) {
        for name in ["filler", "pictures"] {
            std::fs::remove_file(self.on_disk(name)).unwrap();
        }
    }
}
