//! A program for arguments of one shape each: what remains is to put the arrays in, and run.

use super::TypedName;
use crate::array::{Array, Sizes};
use crate::exec::{self, Lent, RunError};
use crate::ir::{NodeKind, Program};
use crate::source::Sources;
use crate::types::{DType, shape};
use std::sync::{Mutex, PoisonError};

/// So many programs wait for their next call; so many threads may call at once without making one.
const SPARE: usize = 8;

/// A program without data for arguments of one shape each.
#[derive(Debug)]
pub(super) struct Fitted {
    of: Vec<(DType, Sizes)>,
    program: Program,
    /// The input of the program that each argument is; none if it is not used.
    places: Vec<Option<usize>>,
    /// Whether the program needs nothing but the arguments.
    complete: bool,
    sources: Sources,
    spare: Mutex<Vec<Program>>,
}

/// An array of the same dtype and shape that no element of is ever looked at.
pub(super) fn sample(array: &Array) -> Array {
    array.unreadable()
}

impl Fitted {
    pub(super) fn new(
        mut program: Program,
        sources: Sources,
        parameters: &[TypedName],
        arrays: &[Array],
        needs_values: bool,
    ) -> Fitted {
        let place =
            |typed: &TypedName| program.inputs.iter().position(|input| Some(&input.name) == typed.name.as_ref());
        let places: Vec<Option<usize>> = parameters.iter().map(place).collect();
        program.inputs.iter_mut().for_each(|input| input.value = None);
        let is_given = |index: u32| places.contains(&Some(index as usize));
        let complete = !needs_values
            && program.nodes.iter().all(|node| match node.kind {
                NodeKind::Input(index) => is_given(index) && shape::sizes(&node.shape).is_some(),
                _ => shape::sizes(&node.shape).is_some(),
            });
        let of = arrays.iter().map(|array| (array.dtype(), Sizes::from_slice(array.shape()))).collect();
        Fitted { of, program, places, complete, sources, spare: Mutex::default() }
    }

    /// Whether it is for arguments like these.
    pub(super) fn is_for(&self, arrays: &[Array]) -> bool {
        let same =
            |((dtype, sizes), array): (&(DType, Sizes), &Array)| *dtype == array.dtype() && sizes[..] == *array.shape();
        self.of.len() == arrays.len() && self.of.iter().zip(arrays).all(same)
    }

    /// Whether nothing but the arguments is needed to run it.
    pub(super) fn is_complete(&self) -> bool {
        self.complete
    }

    /// The texts that its spans are of.
    pub(super) fn sources(&self) -> &Sources {
        &self.sources
    }

    /// Runs it; with an error comes the program as it ran.
    pub(super) fn run(
        &self,
        arrays: &[Array],
        lent: &[Option<Lent>],
        options: &exec::Options,
    ) -> Result<Vec<Option<Array>>, (RunError, Box<Program>)> {
        let spare = || self.spare.lock().unwrap_or_else(PoisonError::into_inner);
        let waiting = spare().pop();
        let mut program = waiting.unwrap_or_else(|| self.program.clone());
        for (place, array) in self.places.iter().zip(arrays) {
            if let Some(place) = *place {
                program.inputs[place].value = Some(array.clone());
            }
        }
        let results = match lent {
            [] => exec::run(&program, options).map(|arrays| arrays.into_iter().map(Some).collect()),
            lent => exec::run_into(&program, options, lent),
        };
        match results {
            Err(error) => Err((error, Box::new(program))),
            Ok(results) => {
                program.inputs.iter_mut().for_each(|input| input.value = None);
                let mut spare = spare();
                if spare.len() < SPARE {
                    spare.push(program);
                }
                Ok(results)
            }
        }
    }
}
