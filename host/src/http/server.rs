//! Listens on loopback, and stops in order.

use super::{Doors, connection, router};
use crate::execution::limits;
use rustix::process::{Resource, getrlimit};
use std::future::Future;
use std::io;
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::{Semaphore, watch};

/// Why the host does not listen.
#[derive(Debug)]
pub enum BindError {
    /// Somebody else listens on the port.
    InUse(u16),
    /// The operating system refused.
    Io(io::Error),
}

/// Both loopback addresses, on one port: whoever else had one of them would be sent the pages' tokens.
#[derive(Debug)]
pub struct Listeners {
    four: TcpListener,
    six: Option<TcpListener>,
    /// The port.
    pub port: u16,
}

impl Listeners {
    /// Takes a port; 0 takes a free one.
    ///
    /// # Errors
    ///
    /// When the port is in use, on either address, or can't be had.
    pub async fn bind(port: u16) -> Result<Self, BindError> {
        const ATTEMPTS: usize = 16;
        let mut attempt = 0;
        loop {
            attempt += 1;
            let four = listen(SocketAddr::from((Ipv4Addr::LOCALHOST, port)), port).await?;
            let taken = four.local_addr().map_err(BindError::Io)?.port();
            match listen(SocketAddr::from((Ipv6Addr::LOCALHOST, taken)), taken).await {
                Ok(six) => return Ok(Self { four, six: Some(six), port: taken }),
                // Another free port may be free on both.
                Err(BindError::InUse(_)) if port == 0 && attempt < ATTEMPTS => {}
                Err(BindError::InUse(port)) => return Err(BindError::InUse(port)),
                // A machine without that address.
                Err(BindError::Io(_)) => return Ok(Self { four, six: None, port: taken }),
            }
        }
    }

    /// Serves until `stop`, then until every reply is sent, or nobody reads it.
    pub async fn serve(self, doors: Doors, stop: impl Future<Output = ()>) {
        let service = doors.service.clone();
        let router = router(doors);
        let places = Arc::new(Semaphore::new(places()));
        let (sender, receiver) = watch::channel(false);
        let serve = |listener| connection::accept(listener, router.clone(), Arc::clone(&places), receiver.clone());
        let four = serve(self.four);
        let six = self.six.map(serve);
        let stopping = async {
            stop.await;
            service.stop();
            sender.send_replace(true);
            tokio::time::sleep(Duration::from_millis(limits::STOP_MS)).await;
        };
        let six = async {
            if let Some(six) = six {
                six.await;
            }
        };
        tokio::select! {
            ((), ()) = async { tokio::join!(four, six) } => {}
            // Somebody who does not read must not keep the host from ending.
            () = stopping => {}
        }
    }
}

/// How many connections there may be: the store and the plugins need descriptors, too.
fn places() -> usize {
    let descriptors = getrlimit(Resource::Nofile).current;
    descriptors
        .map_or(limits::CONNECTIONS, |most| limits::CONNECTIONS.min(usize::try_from(most / 2).unwrap_or(usize::MAX)))
}

async fn listen(address: SocketAddr, port: u16) -> Result<TcpListener, BindError> {
    TcpListener::bind(address).await.map_err(|error| match error.kind() {
        io::ErrorKind::AddrInUse => BindError::InUse(port),
        _ => BindError::Io(error),
    })
}
