//! The page as a state machine.

mod connecting;
mod leaving;
mod life;
mod random;
mod table;
mod world;
