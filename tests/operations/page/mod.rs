//! The page as a state machine.

mod leaving;
mod life;
mod random;
mod table;
mod world;
