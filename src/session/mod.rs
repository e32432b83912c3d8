//! A session: text in, a [`Reply`] out. The command line, the REPL and the tests all go through here.
//!
//! A session is transactional: an input that fails, at whatever stage, leaves no trace; names are defined only
//! when everything worked.
//!
//! | part | job |
//! | --- | --- |
//! | `evaluate` | the session itself: an input goes through all phases |
//! | `input`, `reply` | what goes in, and what comes out |
//! | `bound_inputs`, `gather`, `bindings`, `cycle`, `fill` | what comes with an input: arguments, files, random data |
//! | `reading`, `opened_files`, `uses`, `text`, `lattice` | the files that a script names |
//! | `project`, `config` | the rules of a folder, `arr.toml` |
//! | `defines`, `kept_values`, `kept_functions` | what one input leaves to the next |
//! | `streamed_results`, `destination` | where results go, and large ones while they are computed |
//! | `callable`, `signature` | a text that is called often; the types of a script and of its functions |
//! | `fault` | what goes wrong while a program runs, in the user's words |
//!
//! ```
//! use arrlang::session::{Input, Session};
//! let mut session = Session::default();
//! let reply = session.evaluate(&Input::new("<demo>", "let x = [1, 2, 3]\nsum(x) * 2"));
//! assert_eq!(reply.values[0].type_text(), "i64");
//! assert_eq!(reply.values[0].array.to_vec::<i64>(), [12]);
//! ```

mod bindings;
mod bound_inputs;
mod callable;
pub mod config;
mod cycle;
mod defines;
mod destination;
mod evaluate;
mod fault;
mod fill;
mod gather;
mod input;
mod kept_functions;
mod kept_values;
mod lattice;
mod opened_files;
pub mod project;
mod reading;
mod reply;
pub mod signature;
mod streamed_results;
mod text;
mod uses;

pub use bindings::legal_name;
pub use callable::{CallError, Callable, CheckErrors, TypedName};
pub use destination::Destinations;
pub use evaluate::Session;
pub use fault::{lost_input, run_error};
pub use fill::FilledInput;
pub use input::{Input, Progress};
pub use lattice::load_system;
pub use reading::ReadPolicy;
pub use reply::{Preparation, Reply, ShownValue, Times};
