//! Environment and output of programs that a tool starts.

use std::ffi::OsString;
use std::io::Read;
use std::path::Path;
use std::sync::mpsc::{Receiver, channel};
use std::thread;

/// All that the environment of Ada's programs has, where `home`, `config` and `data` in `folder` are hers.
pub(crate) fn environment(folder: &Path) -> Vec<(&'static str, OsString)> {
    let path = |name: &str| folder.join(name).into_os_string();
    vec![
        ("PATH", "/usr/bin:/bin".into()),
        ("USER", "ada".into()),
        ("HOME", path("home")),
        ("XDG_CONFIG_HOME", path("config")),
        ("XDG_DATA_HOME", path("data")),
        ("LANG", "C.UTF-8".into()),
    ]
}

/// Output of a program, as it comes; the channel ends with it.
pub(crate) fn output(mut from: impl Read + Send + 'static) -> Receiver<Vec<u8>> {
    let (sender, receiver) = channel();
    thread::spawn(move || {
        let mut chunk = vec![0; 1 << 16];
        while let Ok(count @ 1..) = from.read(&mut chunk) {
            if sender.send(chunk.get(..count).unwrap_or_default().to_vec()).is_err() {
                return;
            }
        }
    });
    receiver
}
