//! A program for arguments of one shape each. What remains is to put the arrays in, and run.

use super::TypedName;
use crate::array::{Array, Sizes};
use crate::exec::{self, InputArrays, LentMemory, PlannedCall, RunError};
use crate::ir::{NodeKind, Program};
use crate::locks::lock;
use crate::source::Sources;
use crate::types::{DType, Dim, shape};
use std::sync::{Arc, Mutex};

/// The most programs that wait for their next call. If more threads than this call at once, some of them make a program
/// anew.
const MAX_SPARE_PROGRAMS: usize = 8;

/// An array for each result that no memory is lent for; or an error, with the program as it ran.
pub(super) type FittedResult = Result<Vec<Option<Array>>, (RunError, Box<Program>)>;

/// A program without data for arguments of one shape each.
#[derive(Debug)]
pub(super) struct FittedProgram {
    of: Vec<(DType, Sizes)>,
    program: Program,
    /// The input of the program that each argument is. It is `None` if the argument is not used.
    places: Vec<Option<usize>>,
    /// The argument that each input of the program is.
    arguments: Vec<Option<usize>>,
    /// Whether the program needs nothing but the arguments.
    complete: bool,
    sources: Sources,
    spare: Mutex<Vec<Program>>,
    /// How it ran last, which is mostly how it runs again: with results of its own, and with memory for them.
    last: [Mutex<Option<Arc<PlannedCall>>>; 2],
}

/// An array of the same dtype and shape that no element of is ever looked at.
pub(super) fn sample(array: &Array) -> Array {
    array.unreadable()
}

impl FittedProgram {
    pub(super) fn new(
        mut program: Program,
        sources: Sources,
        parameters: &[TypedName],
        arrays: &[Array],
        needs_values: bool,
    ) -> FittedProgram {
        let place =
            |typed: &TypedName| program.inputs.iter().position(|input| Some(&input.name) == typed.name.as_ref());
        let places: Vec<Option<usize>> = parameters.iter().map(place).collect();
        let argument = |input: usize| places.iter().position(|place| *place == Some(input));
        let arguments = (0..program.inputs.len()).map(argument).collect();
        program.inputs.iter_mut().for_each(|input| input.value = None);
        let is_given = |index: u32| places.contains(&Some(index as usize));
        // Lengths that data decides are counted in a run.
        let is_counted = |name: &str| program.lengths.iter().any(|length| length.name == name);
        let is_known = |dim: &Dim| {
            let mut known = true;
            dim.names(&mut |name| known &= is_counted(name));
            known
        };
        let complete = !needs_values
            && program.nodes.iter().all(|node| {
                if let NodeKind::Input(index) = node.kind {
                    is_given(index) && shape::sizes(&node.shape).is_some()
                } else {
                    node.shape.iter().all(is_known)
                }
            });
        let of = arrays.iter().map(|array| (array.dtype(), Sizes::from_slice(array.shape()))).collect();
        FittedProgram {
            of,
            program,
            places,
            arguments,
            complete,
            sources,
            spare: Mutex::default(),
            last: Default::default(),
        }
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

    /// Runs it as it ran last, if arguments and memory lie as they did then, and if it is over soon where only that is
    /// `wanted`. With an error comes the program as it ran.
    pub(super) fn run_again(
        &self,
        arrays: &[Array],
        lent: &[Option<LentMemory>],
        options: &exec::Options,
        wanted: impl Fn(&PlannedCall) -> bool,
    ) -> Option<FittedResult> {
        let last = lock(self.last(lent)).clone().filter(|last| wanted(last))?;
        let given = InputArrays { arrays, places: &self.arguments };
        let results = last.run(&self.program, given, options, lent)?;
        Some(results.map_err(|error| {
            let mut program = self.program.clone();
            self.bind(&mut program, arrays);
            (error, Box::new(program))
        }))
    }

    /// Runs it; with an error comes the program as it ran.
    pub(super) fn run(&self, arrays: &[Array], lent: &[Option<LentMemory>], options: &exec::Options) -> FittedResult {
        if let Some(results) = self.run_again(arrays, lent, options, |_| true) {
            return results;
        }
        let spare = || lock(&self.spare);
        let waiting = spare().pop();
        let mut program = waiting.unwrap_or_else(|| self.program.clone());
        self.bind(&mut program, arrays);
        let results = match exec::run_into(&program, options, lent) {
            Err(error) => return Err((error, Box::new(program))),
            Ok(results) => results,
        };
        if let Some(known) = PlannedCall::of(&program, options, lent) {
            *lock(self.last(lent)) = Some(Arc::new(known));
        }
        program.inputs.iter_mut().for_each(|input| input.value = None);
        let mut spare = spare();
        if spare.len() < MAX_SPARE_PROGRAMS {
            spare.push(program);
        }
        Ok(results)
    }

    /// How it ran last with memory for results, or without.
    fn last(&self, lent: &[Option<LentMemory>]) -> &Mutex<Option<Arc<PlannedCall>>> {
        &self.last[usize::from(!lent.is_empty())]
    }

    /// Gives a program the arguments as its data.
    fn bind(&self, program: &mut Program, arrays: &[Array]) {
        for (place, array) in self.places.iter().zip(arrays) {
            if let Some(place) = *place {
                program.inputs[place].value = Some(array.clone());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::array::Array;
    use crate::exec::Options;
    use crate::io::argument::Argument;
    use crate::session::{Callable, Input, Session};

    #[test]
    fn what_data_counts_asks_for_no_second_check() {
        let types = ["x:f64[n]", "i:i64"].map(|text| Argument::parse(text.as_ref()).unwrap());
        for text in ["x[x > 0]", "sum(x[x > 0])", "unique(x)", "x[i:] * 2", "x[:i] @ x[:i]"] {
            let input = Input { arguments: &types, free_names: true, ..Input::new("demo", text) };
            let callable = Callable::new(&Session::default(), &input).unwrap();
            for last in [1.0, -1.0] {
                let arrays = [Array::from_elements(&[3], &[2.0, -1.0, last]), Array::from_elements(&[], &[1i64])];
                callable.call(&arrays, &Options::default()).unwrap();
            }
            let known = callable.fitted.lock().unwrap();
            assert!(known.len() == 1 && known[0].is_complete(), "{text}");
        }
    }
}
