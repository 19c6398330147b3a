//! Changes reach their listeners, of a local desk and of a slow remote one.

use super::ChangeNotifier;
use sayso_core::{AskId, Asker, Lang, NewAsk, ProblemCode, Questionnaire, wire};
use sayso_desk::remote::{RemoteAddress, RemoteDesk, TokenSet};
use sayso_desk::{ChangeCursor, Desk as _, StoreDesk, WatchEvent};
use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::time::Duration;
use tempfile::TempDir;

const ASKS: usize = 40;

fn new_ask(name: String) -> NewAsk {
    let text = r#"{"questions": [{"id": "q", "prompt": "Paint it?", "confirm": true}]}"#;
    let questionnaire: Questionnaire = wire::json::read(text).unwrap();
    NewAsk::new(Arc::new(questionnaire), "sayso", Asker { name, ..Asker::default() })
}

#[tokio::test]
async fn changes_are_sent_once_in_order() {
    let folder = TempDir::new().unwrap();
    let open = || Arc::new(StoreDesk::open(&folder.path().join("desk")).unwrap());
    // `here` notifies on commit; `there` acts as another process, whose changes come through the wakeup alone.
    let (here, there) = (open(), open());
    let notifier = ChangeNotifier::new(here.clone());
    let (weak_notifier, desk) = (Arc::downgrade(&notifier), Arc::downgrade(&here));
    here.add_commit_hook(Arc::new(move || {
        weak_notifier
            .upgrade()
            .unwrap()
            .catch_up(|place, most| desk.upgrade().unwrap().changes_after(place, most));
    }));
    let mut listener = notifier.listen().unwrap();
    let askers: Vec<_> = [here.clone(), there, here.clone()]
        .into_iter()
        .enumerate()
        .map(|(who, desk)| {
            std::thread::spawn(move || {
                for number in 0..ASKS {
                    desk.open(None, new_ask(format!("{who}-{number}"))).unwrap();
                }
            })
        })
        .collect();
    let mut received: Vec<ChangeCursor> = Vec::new();
    while received.len() < 3 * ASKS {
        let WatchEvent::Change(change) = &*listener.recv().await.unwrap() else { panic!("a gap") };
        assert!(received.last().is_none_or(|last| change.cursor.is_after(*last)), "{:?}", change.cursor);
        received.push(change.cursor);
    }
    askers.into_iter().for_each(|thread| thread.join().unwrap());
    here.open(None, new_ask("the last".to_owned())).unwrap();
    let WatchEvent::Change(last) = &*listener.recv().await.unwrap() else { panic!("a gap") };
    assert!(last.cursor.is_after(received[received.len() - 1]), "nothing is told twice");
}

/// Accepts a connection and reads the head of its request.
fn accept_request(server: &TcpListener) -> TcpStream {
    let (mut socket, _) = server.accept().unwrap();
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        let mut byte = [0];
        socket.read_exact(&mut byte).unwrap();
        head.extend(byte);
    }
    socket
}

fn refuse(mut stream: TcpStream) {
    stream.write_all(b"HTTP/1.1 401 Unauthorized\r\ncontent-length: 0\r\n\r\n").unwrap();
}

#[test]
fn slow_remote_desk_blocks_no_caller() {
    let folder = TempDir::new().unwrap();
    let token = folder.path().join("token");
    let mut file = sayso_desk::own_file::create_new(&token).unwrap();
    file.write_all(b"sayso_p_nobody").unwrap();
    let server = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = RemoteAddress::parse(&format!("http://{}", server.local_addr().unwrap())).unwrap();
    let notifier =
        ChangeNotifier::new(Arc::new(RemoteDesk::new(address, TokenSet::read(&[token]).unwrap(), Lang::En)));
    let waiting = notifier.clone();
    let started = std::thread::spawn(move || {
        let listener = waiting.listen().unwrap();
        (listener, waiting.subscribe(vec![AskId::NIL]).unwrap())
    });
    let mut stream = accept_request(&server);
    let hello = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n\
                 event: hello\nid: 0000000000000001-1\nretry: 10\ndata: {}\n\n";
    stream.write_all(hello.as_bytes()).unwrap();
    let (mut listener, ticket) = started.join().unwrap();
    // After the disconnect and the refusal the watch is over.
    drop(stream);
    refuse(accept_request(&server));
    while *listener.blocking_recv().unwrap() != WatchEvent::Gap {}
    let watching = notifier.clone();
    let again = std::thread::spawn(move || watching.ensure_watching());
    let held = accept_request(&server);
    let (done, is_done) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        drop(ticket);
        done.send(()).unwrap();
    });
    is_done.recv_timeout(Duration::from_secs(60)).expect("whoever waits no more is held up");
    refuse(held);
    assert_eq!(again.join().unwrap().unwrap_err().code, ProblemCode::Unauthorized);
}
