//! Folds and scans of a kernel, and how they are cut into units of work.

use super::cost::{Cost, Share};
use super::loops::{Loops, Use};
use crate::exec::fold::{Form, Terms};
use crate::exec::options::{Options, RunError, Watch};
use crate::exec::space::Dim;
use crate::exec::stepping::Step;
use crate::exec::threads;
use crate::ir::Fold;
use crate::kernel::{BLOCK, Inst, InstOp, Value};
use crate::types::DType;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

/// A fold or a scan.
#[derive(Clone, Copy)]
pub(super) struct Reduction {
    pub(super) operand: usize,
    pub(super) fold: Fold,
    /// Of the elements.
    pub(super) dtype: DType,
    /// How terms are made of them.
    pub(super) terms: Terms,
}

/// What a kernel reduces, and where the elements are.
pub(super) struct Reductions {
    pub(super) folds: Vec<Reduction>,
    pub(super) scans: Vec<Reduction>,
    /// The sources whose elements folds, then scans, take as they are; of two operands both.
    pub(super) direct: Vec<Option<[usize; 2]>>,
    /// Whether the loop has nothing to compute.
    pub(super) idle: bool,
}

impl Reductions {
    /// Folds, then scans.
    pub(super) fn all(&self) -> impl Iterator<Item = &Reduction> {
        self.folds.iter().chain(&self.scans)
    }

    /// Where a fold of an idle loop takes its elements.
    pub(super) fn sources(&self, fold: usize) -> [usize; 2] {
        self.direct[fold].expect("an idle loop's folds read arrays")
    }
}

impl Loops {
    /// The folds and scans among the outputs. With `in_place`, elements that lie densely in memory already are taken
    /// from there.
    pub(super) fn reductions(&self, inner: &Dim, in_place: bool, terms: &[Option<Terms>]) -> Reductions {
        let find = |scans: bool| {
            let outputs = self.outputs.iter().enumerate();
            outputs.filter_map(move |(output, (_, what))| {
                let operand = self.inputs() + output;
                let fold = match what {
                    Use::Fold(fold) if !scans => *fold,
                    Use::Scan(fold) if scans => *fold,
                    _ => return None,
                };
                let terms = terms.get(output).copied().flatten();
                let terms = terms.unwrap_or_else(|| Terms::plain(&self.body, self.outputs[output].0));
                Some(Reduction { operand, fold, dtype: self.dtypes[operand], terms })
            })
        };
        let (folds, scans): (Vec<_>, Vec<_>) = (find(false).collect(), find(true).collect());
        let source = |one: &Reduction| if in_place { self.sources(&one.terms, inner) } else { None };
        let direct: Vec<Option<[usize; 2]>> = folds.iter().chain(&scans).map(source).collect();
        let idle = direct.len() == self.outputs.len() && direct.iter().all(Option::is_some);
        Reductions { folds, scans, direct, idle }
    }

    /// How the terms of each output are made that folds along rows.
    pub(super) fn terms(&self, reduced: &[Dim], count: usize) -> Vec<Option<Terms>> {
        let row = reduced.last().filter(|inner| inner.len == count);
        let step = |value: Value| match self.body.insts[value.0 as usize] {
            Inst { op: InstOp::Load(source), dtype } => row.map(|row| Step::of(row.strides[source as usize], dtype)),
            _ => None,
        };
        let terms = self.outputs.iter().map(|(value, what)| match what {
            Use::Fold(fold) => Some(Terms::of(&self.body, *value, *fold, step)),
            _ => None,
        });
        terms.collect()
    }

    /// Lets the loop compute what terms are made of.
    pub(super) fn compute(&mut self, terms: &[Option<Terms>]) {
        for (output, terms) in terms.iter().enumerate() {
            if let Some(Terms { of: [Some(value), _], .. }) = *terms {
                let operand = self.inputs() + output;
                self.outputs[output].0 = value;
                self.dtypes[operand] = self.body.insts[value.0 as usize].dtype;
            }
        }
    }

    /// The sources of which terms are made, if they lie densely along `inner`, or the second is one number.
    fn sources(&self, terms: &Terms, inner: &Dim) -> Option<[usize; 2]> {
        let first = self.dense_source(terms.of[0]?, inner)?;
        let second = match (terms.of[1], terms.form) {
            (None, _) => first,
            (Some(second), Form::Distance) => match self.body.insts[second.0 as usize].op {
                InstOp::Load(source) => source as usize,
                _ => return None,
            },
            (Some(second), _) => self.dense_source(second, inner)?,
        };
        Some([first, second])
    }

    /// The source whose elements are taken as they are, if they lie densely along `inner`. Truth values from outside
    /// may be any byte and are not taken.
    fn dense_source(&self, value: Value, inner: &Dim) -> Option<usize> {
        match self.body.insts[value.0 as usize] {
            Inst { op: InstOp::Load(source), dtype } if dtype != DType::Bool => {
                let source = source as usize;
                (inner.strides[source] == dtype.size() as isize).then_some(source)
            }
            _ => None,
        }
    }
}

/// How results, and the terms of each, are cut into units. A unit begins at a block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Cut {
    threads: usize,
    results: usize,
    /// Results in a unit; 1 if a result is several units.
    group: usize,
    terms: usize,
    /// Terms of a result in a unit.
    part: usize,
}

impl Cut {
    /// `results` results (or groups of them, side by side) of `terms` terms each. Scans go through all terms in order.
    pub(super) fn new(results: usize, terms: usize, each: Cost, scans: bool, options: &Options) -> Cut {
        let Share { threads, units } = each.times(terms).times(results).share(options);
        let parts = units.div_ceil(results).min(terms.div_ceil(BLOCK));
        if parts <= 1 || scans {
            return Cut { threads, results, group: results.div_ceil(units), terms, part: terms };
        }
        Cut { threads, results, group: 1, terms, part: terms.div_ceil(BLOCK).div_ceil(parts) * BLOCK }
    }

    /// How many units each result is cut into.
    fn parts(self) -> usize {
        if self.terms == 0 { 1 } else { self.terms.div_ceil(self.part) }
    }

    fn units(self) -> usize {
        self.results.div_ceil(self.group) * self.parts()
    }

    /// The results of a unit, and the terms of each.
    fn unit(self, number: usize) -> (Range<usize>, Range<usize>) {
        let (result, start) = (number / self.parts() * self.group, number % self.parts() * self.part);
        (result..self.results.min(result + self.group), start..self.terms.min(start + self.part))
    }
}

/// What makes results on one thread, or parts of them.
pub(super) trait Worker {
    /// What is made of a part.
    type Made: Send;

    /// Makes whole results.
    fn whole(&mut self, results: Range<usize>, terms: Range<usize>) -> Result<(), RunError>;

    /// What comes next begins at this term of a result.
    fn begin_at(&mut self, term: usize);

    /// Takes some terms of a result, which begin at a block.
    fn reduce(&mut self, result: usize, terms: Range<usize>) -> Result<(), RunError>;

    /// What was made so far; begins anew.
    fn made(&mut self) -> Self::Made;
}

/// Lets workers, one on each thread, make all results but those that are cut into parts; their parts are left to join.
pub(super) fn share<W: Worker>(
    cut: Cut,
    watch: Watch,
    new: impl Fn() -> Result<W, RunError> + Sync,
) -> Result<Option<Parts<W::Made>>, RunError> {
    if cut.units() == 1 {
        let (results, terms) = cut.unit(0);
        new()?.whole(results, terms)?;
        return Ok(None);
    }
    let parts = Parts::new(cut);
    threads::share(cut.units(), cut.threads, watch, |hand| {
        let (mut worker, mut part) = (None, None);
        while let Some(unit) = hand.next() {
            let worker = match &mut worker {
                Some(worker) => worker,
                none => none.insert(new()?),
            };
            let (results, terms) = cut.unit(unit);
            if cut.parts() == 1 {
                worker.whole(results, terms)?;
                continue;
            }
            if !parts.continues(&part, unit) {
                part.take().into_iter().for_each(|part| parts.leave(part, worker.made()));
                worker.begin_at(terms.start);
            }
            parts.count(&mut part, unit);
            worker.reduce(results.start, terms)?;
        }
        if let (Some(part), Some(mut worker)) = (part, worker) {
            parts.leave(part, worker.made());
        }
        Ok(())
    })?;
    Ok(Some(parts))
}

/// What threads have made of the parts of results: in the place of its first unit, as much as one thread did in a row.
pub(super) struct Parts<R> {
    cut: Cut,
    made: Vec<Mutex<Option<R>>>,
}

/// What a thread is making.
struct Part {
    first: usize,
    next: usize,
}

impl<R> Parts<R> {
    /// No place is needed if no result is cut.
    fn new(cut: Cut) -> Parts<R> {
        let places = if cut.parts() == 1 { 0 } else { cut.units() };
        Parts { cut, made: (0..places).map(|_| Mutex::new(None)).collect() }
    }

    /// Whether a unit goes on where a thread is.
    fn continues(&self, current: &Option<Part>, unit: usize) -> bool {
        current.as_ref().is_some_and(|part| part.next == unit) && !unit.is_multiple_of(self.cut.parts())
    }

    /// Counts a unit that begins something, or goes on.
    fn count(&self, current: &mut Option<Part>, unit: usize) {
        match current {
            Some(part) => part.next = unit + 1,
            None => *current = Some(Part { first: unit, next: unit + 1 }),
        }
    }

    /// Leaves what was made.
    fn leave(&self, part: Part, made: R) {
        *self.made[part.first].lock().unwrap_or_else(PoisonError::into_inner) = Some(made);
    }

    /// What was made of each result, in order: its number and the parts in their order.
    pub(super) fn results(self) -> impl Iterator<Item = (usize, Vec<R>)> {
        let parts = self.cut.parts();
        let mut made = self.made.into_iter().map(|made| made.into_inner().unwrap_or_else(PoisonError::into_inner));
        let mut result = 0;
        std::iter::from_fn(move || {
            let found: Vec<R> = made.by_ref().take(parts).flatten().collect();
            result += 1;
            (!found.is_empty()).then_some((result - 1, found))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::num::NonZeroUsize;
    use std::time::Duration;

    #[test]
    fn units_cover_every_term_once_and_begin_at_blocks() {
        let one = Cost::of_nothing();
        for (results, terms) in [(1, 0), (1, 1), (1, 1024), (1, 5000), (3, 100_000), (200, 3), (17, 2049)] {
            for threads in [1, 2, 3, 16] {
                for scans in [false, true] {
                    let threads = NonZeroUsize::new(threads);
                    let options = Options { threads, grain: Some(Duration::ZERO), ..Options::default() };
                    let cut = Cut::new(results, terms, one, scans, &options);
                    let mut seen = vec![0; results * terms];
                    for number in 0..cut.units() {
                        let (some, part) = cut.unit(number);
                        assert!(cut.parts() == 1 || some.len() == 1 && !scans);
                        assert!(part.end == terms || part.len() == cut.part);
                        for result in some {
                            part.clone().for_each(|term| seen[result * terms + term] += 1);
                        }
                    }
                    assert!(seen.iter().all(|&count| count == 1));
                    assert!(cut.parts() == 1 || cut.part.is_multiple_of(BLOCK));
                }
            }
        }
    }
}
