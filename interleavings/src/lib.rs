//! The life of an ask and the steps of a store's transactions under random schedules of many actors. What is decided is
//! decided by core itself; only the store is played. Each history is judged, and bugs that are planted must be found.

mod actor;
mod decide;
mod dice;
mod history;
mod judge;
mod plant;
mod role;
mod store;
mod testimony;
mod transaction;

pub use dice::Dice;
pub use history::{Asked, play};
pub use plant::Plant;
pub use testimony::{SeenAsk, Testimony};
