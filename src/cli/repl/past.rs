//! The past of a session, as far as it is kept. It has numbered results and earlier states, and the oldest are
//! forgotten first.

use super::super::args::ExecutionArgs;
use crate::array::show::Show;
use crate::check::env::{Env, SessionValue, result_number};
use crate::check::{RESULT, Settings};
use std::collections::VecDeque;

/// How many changes can be undone.
const MAX_PAST: usize = 100;
/// How many results keep their number.
const MAX_RESULTS: usize = 1000;

/// How inputs are run and answered.
#[derive(Clone, Default)]
pub(super) struct InputManner {
    pub(super) running: ExecutionArgs,
    pub(super) summary: bool,
    pub(super) show: Show,
}

/// Names and settings as they were.
#[derive(Clone)]
pub(super) struct Past {
    pub(super) env: Env,
    pub(super) settings: Settings,
    pub(super) manner: InputManner,
    pub(super) count: usize,
    /// The bytes of what only this state holds.
    bytes: usize,
}

impl Past {
    /// A state.
    pub(super) fn new(env: Env, settings: Settings, manner: InputManner, count: usize) -> Past {
        Past { env, settings, manner, count, bytes: 0 }
    }
}

/// The last states, of which each was changed into the next.
pub(super) struct Pasts {
    list: VecDeque<Past>,
    bytes: usize,
    most: usize,
}

impl Pasts {
    /// A list without pasts. What its pasts hold beyond the present will stay within `most` bytes.
    pub(super) fn within(most: usize) -> Pasts {
        Pasts { list: VecDeque::new(), bytes: 0, most }
    }

    /// Adds the state that was changed into `now`.
    pub(super) fn push(&mut self, mut past: Past, now: &Env) {
        past.bytes = lost(&past.env, now);
        self.bytes += past.bytes;
        self.list.push_back(past);
        while self.list.len() > MAX_PAST || self.bytes > self.most {
            let Some(oldest) = self.list.pop_front() else { break };
            self.bytes -= oldest.bytes;
        }
    }

    /// Takes the last state.
    pub(super) fn pop(&mut self) -> Option<Past> {
        let past = self.list.pop_back()?;
        self.bytes -= past.bytes;
        Some(past)
    }

    /// Forgets all.
    pub(super) fn clear(&mut self) {
        self.list.clear();
        self.bytes = 0;
    }
}

/// The bytes of values that stand in `before` and no more in `now`.
fn lost(before: &Env, now: &Env) -> usize {
    before.lost(now).map(bytes).sum()
}

/// The bytes of the arrays in a value.
fn bytes(value: &SessionValue) -> usize {
    match value {
        SessionValue::Array(array, ..) => array.buffer().len(),
        SessionValue::Tuple(items) => items.iter().map(bytes).sum(),
        SessionValue::Const(_) | SessionValue::Function(_) | SessionValue::Other(_) => 0,
    }
}

/// Whether a name is that of a result: `_`, `_3`.
pub(super) fn is_result(name: &str) -> bool {
    name == RESULT || result_number(name).is_some()
}

/// Takes the numbers off the oldest results when there are too many, or too large ones. `_` stays.
pub(super) fn forget_old_results(env: &mut Env, most: usize) {
    let mut results: Vec<(usize, usize)> =
        env.numbered_results().map(|(number, value)| (number, bytes(value))).collect();
    results.sort_unstable();
    let mut total: usize = results.iter().map(|(_, bytes)| bytes).sum();
    let mut left = results.len();
    for (number, bytes) in results {
        if total <= most && left <= MAX_RESULTS {
            break;
        }
        env.remove(&format!("{RESULT}{number}"));
        total -= bytes;
        left -= 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::array::Array;
    use crate::source::Span;
    use crate::types::{DType, Elem};

    fn of(len: usize) -> SessionValue {
        let array = Array::zeros(DType::U8, &[len]).unwrap();
        SessionValue::Array(array, Elem::Strong(DType::U8), Span::default())
    }

    #[test]
    fn old_results_go_when_they_are_large() {
        let mut env = Env::default();
        for number in 1..=4 {
            env.set(&format!("_{number}"), of(1000), Span::default());
        }
        env.set("_x1", of(5000), Span::default());
        forget_old_results(&mut env, 2500);
        assert_eq!(env.names(), ["_3", "_4", "_x1"]);
    }

    #[test]
    fn old_states_go_when_they_hold_much() {
        let mut pasts = Pasts::within(2500);
        let mut env = Env::default();
        for at in 0..5 {
            let before = Past::new(env.clone(), Settings::default(), InputManner::default(), at);
            env.set("x", of(1000), Span { start: at as u32, ..Span::default() });
            pasts.push(before, &env);
        }
        let counts: Vec<usize> = std::iter::from_fn(|| pasts.pop()).map(|past| past.count).collect();
        assert_eq!(counts, [4, 3]);
        assert_eq!(pasts.bytes, 0);
    }
}
