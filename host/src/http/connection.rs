//! Connections: how many there are, how long a request may take to arrive, and how they end.

use crate::execution::limits;
use axum::Router;
use hyper::server::conn::http1::Builder;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpListener;
use tokio::sync::{Semaphore, watch};
use tokio::task::JoinSet;

/// Serves connections until `stopped`, then those that are open until they are done.
pub(super) async fn accept(
    listener: TcpListener,
    router: Router,
    places: Arc<Semaphore>,
    mut stopped: watch::Receiver<bool>,
) {
    let mut open = JoinSet::new();
    loop {
        let next = async {
            let place = Arc::clone(&places).acquire_owned().await;
            (place, listener.accept().await)
        };
        tokio::select! {
            () = told(&mut stopped) => break,
            Some(_) = open.join_next() => {}
            (place, accepted) = next => match accepted {
                Ok((stream, _)) => {
                    // Without this some events wait for a delayed acknowledgement; it is an improvement, not a need.
                    let _ = stream.set_nodelay(true);
                    let talk = converse(stream, router.clone(), stopped.clone());
                    open.spawn(async move {
                        talk.await;
                        drop(place);
                    });
                }
                // Nothing is left to open it with; somebody will close something.
                Err(_) => tokio::time::sleep(Duration::from_millis(limits::ACCEPT_PAUSE_MS)).await,
            },
        }
    }
    drop(listener);
    while open.join_next().await.is_some() {}
}

/// Answers the requests of one connection; whatever ends it, nobody is left to be told.
async fn converse(
    stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static,
    router: Router,
    mut stopped: watch::Receiver<bool>,
) {
    let mut builder = Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout(Duration::from_millis(limits::HEAD_MS));
    let mut connection = pin!(builder.serve_connection(TokioIo::new(stream), TowerToHyperService::new(router)));
    tokio::select! {
        _ = connection.as_mut() => return,
        () = told(&mut stopped) => connection.as_mut().graceful_shutdown(),
    }
    let _ = connection.await;
}

/// Comes with the news that the host stops; who would bring it being gone is that news, too.
async fn told(stopped: &mut watch::Receiver<bool>) {
    let _ = stopped.wait_for(|stopped| *stopped).await;
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::routing::get;
    use tokio::io::{AsyncReadExt, AsyncWriteExt, duplex};

    #[tokio::test(start_paused = true)]
    async fn a_request_that_does_not_arrive_ends_its_connection() {
        for start in ["", "GET / HTTP/1.1\r\nHost: ", "GET / HTTP/1.1\r\nHost: x\r\n\r\n"] {
            let (mut near, far) = duplex(4096);
            let (_host, stopped) = watch::channel(false);
            near.write_all(start.as_bytes()).await.unwrap();
            let router = Router::new().route("/", get(async || "done"));
            tokio::join!(converse(far, router, stopped), async {
                let mut heard = String::new();
                near.read_to_string(&mut heard).await.unwrap();
                assert_eq!(heard.contains("done"), start.ends_with("\r\n\r\n"), "{start}");
            });
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_host_that_stops_lets_go_of_those_who_say_nothing() {
        let (_near, far) = duplex(4096);
        let (host, stopped) = watch::channel(false);
        host.send_replace(true);
        let start = tokio::time::Instant::now();
        converse(far, Router::new(), stopped).await;
        assert_eq!(start.elapsed(), Duration::ZERO);
    }
}
