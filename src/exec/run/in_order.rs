//! A value that parts of a pass change in their order, on whichever threads.

use crate::exec::options::RunError;
use crate::locks::{into_inner, lock};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// The value, and whose turn it is.
pub(super) struct Turn<T> {
    state: Mutex<TurnState<T>>,
    changed: Condvar,
}

struct TurnState<T> {
    /// The part that may change the value next. `None` if a part has failed.
    part: Option<usize>,
    value: T,
}

impl<T> Turn<T> {
    /// It is the turn of part 0.
    pub(super) fn new(value: T) -> Turn<T> {
        Turn { state: Mutex::new(TurnState { part: Some(0), value }), changed: Condvar::new() }
    }

    fn state(&self) -> MutexGuard<'_, TurnState<T>> {
        lock(&self.state)
    }

    /// Waits for the turn of a part and lets it change the value; false if it never comes, because another part has
    /// failed.
    pub(super) fn take(
        &self,
        part: usize,
        work: impl FnOnce(&mut T) -> Result<(), RunError>,
    ) -> Result<bool, RunError> {
        let waits = |state: &mut TurnState<T>| state.part.is_some_and(|next| next != part);
        let mut state = self.changed.wait_while(self.state(), waits).unwrap_or_else(PoisonError::into_inner);
        if state.part.is_none() {
            return Ok(false);
        }
        work(&mut state.value)?;
        // Others may have failed meanwhile.
        state.part = state.part.map(|part| part + 1);
        drop(state);
        self.changed.notify_all();
        Ok(true)
    }

    /// No part has a turn any more.
    pub(super) fn stop(&self) {
        self.state().part = None;
        self.changed.notify_all();
    }

    /// The value when all parts have changed it.
    pub(super) fn into_inner(self) -> T {
        into_inner(self.state).value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_come_in_their_order_from_any_thread() {
        let turn = Turn::new(Vec::new());
        std::thread::scope(|scope| {
            for thread in (0..4).rev() {
                let turn = &turn;
                scope.spawn(move || {
                    for part in (thread..100).step_by(4) {
                        let came = turn.take(part, |seen| {
                            seen.push(part);
                            Ok(())
                        });
                        assert_eq!(came, Ok(true));
                    }
                });
            }
        });
        assert!(turn.into_inner().into_iter().eq(0..100));
    }

    #[test]
    fn nobody_waits_for_a_part_that_has_failed() {
        let turn = Turn::new(());
        std::thread::scope(|scope| {
            let waiting = scope.spawn(|| turn.take(1, |()| unreachable!("part 0 never came")));
            assert_eq!(turn.take(0, |()| Err(RunError::Interrupted)), Err(RunError::Interrupted));
            turn.stop();
            assert_eq!(waiting.join().unwrap(), Ok(false));
        });
    }
}
