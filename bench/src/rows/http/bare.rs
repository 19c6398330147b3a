//! Bare axum: what the network and the framework cost without a desk behind them.

use super::Client;
use crate::peer::Peer;
use std::net::SocketAddr;
use std::path::Path;

/// Bare axum, in a process of its own.
pub(crate) struct Bare {
    peer: Peer,
    at: SocketAddr,
}

impl Bare {
    pub(crate) fn start() -> anyhow::Result<Self> {
        let mut peer = Peer::start("axum", Path::new("-"))?;
        let at = peer.line()?.trim().parse()?;
        Ok(Self { peer, at })
    }

    pub(crate) fn client(&self) -> anyhow::Result<Client> {
        Client::new(self.at, "")
    }

    pub(crate) fn pid(&self) -> u32 {
        self.peer.pid()
    }
}

/// The role of bare axum: requests that are held until somebody wakes them, and a stream of events.
pub(crate) fn serve() -> anyhow::Result<()> {
    use axum::Router;
    use axum::response::sse::{Event, Sse};
    use axum::routing::{get, post};
    use futures_util::stream;
    use tokio::sync::broadcast;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        // As long a queue as ours: else a client that comes quickly waits a second for each one that was refused.
        let socket = tokio::net::TcpSocket::new_v4()?;
        socket.bind(SocketAddr::from(([127, 0, 0, 1], 0)))?;
        let listener = socket.listen(4_096)?;
        println!("{}", listener.local_addr()?);
        let (wake, _) = broadcast::channel::<()>(16);
        let (held, events) = (wake.clone(), wake.clone());
        let body = "x".repeat(600);
        let app = Router::new()
            .route(
                "/hold",
                get(move || {
                    let (mut woken, body) = (held.subscribe(), body.clone());
                    async move {
                        let _ = woken.recv().await;
                        body
                    }
                }),
            )
            .route(
                "/events",
                get(move || {
                    let woken = events.subscribe();
                    async move {
                        Sse::new(stream::unfold(woken, |mut woken| async move {
                            woken.recv().await.ok()?;
                            let event = Event::default().event("change").data("{}");
                            Some((Ok::<_, std::convert::Infallible>(event), woken))
                        }))
                    }
                }),
            )
            .route("/wake", post(move |_: String| async move { wake.send(()).map_or("", |_| "ok") }));
        axum::serve(listener, app).await?;
        Ok(())
    })
}
