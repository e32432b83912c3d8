//! The cut of folds or scans into units of work.

use crate::exec::options::{Options, RunError, Watch};
use crate::exec::plan::{ElementCost, Share};
use crate::exec::threads;
use crate::kernel::BLOCK;
use crate::locks::{into_inner, lock};
use std::ops::Range;
use std::sync::Mutex;

/// How results, and the terms of each, are cut into units. A unit begins at a block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct TermCut {
    threads: usize,
    results: usize,
    /// Results in a unit; 1 if a result is several units.
    group: usize,
    terms: usize,
    /// Terms of a result in a unit.
    part: usize,
}

impl TermCut {
    /// `results` results (or groups of them, side by side) of `terms` terms each. Scans go through all terms in order.
    pub(super) fn new(results: usize, terms: usize, each: ElementCost, scans: bool, options: &Options) -> TermCut {
        let Share { threads, units } = each.times(terms).times(results).share(options);
        let parts = units.div_ceil(results).min(terms.div_ceil(BLOCK));
        if parts <= 1 || scans {
            return TermCut { threads, results, group: results.div_ceil(units), terms, part: terms };
        }
        TermCut { threads, results, group: 1, terms, part: terms.div_ceil(BLOCK).div_ceil(parts) * BLOCK }
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
pub(super) trait ReduceUnits {
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
pub(super) fn share<W: ReduceUnits>(
    cut: TermCut,
    watch: Watch,
    new: impl Fn() -> Result<W, RunError> + Sync,
) -> Result<Option<ReducedParts<W::Made>>, RunError> {
    if cut.units() == 1 {
        let (results, terms) = cut.unit(0);
        new()?.whole(results, terms)?;
        return Ok(None);
    }
    let parts = ReducedParts::new(cut);
    threads::share(cut.units(), cut.threads, watch, |task| {
        let (mut worker, mut part) = (None, None);
        while let Some(unit) = task.next() {
            let worker = match &mut worker {
                Some(worker) => worker,
                none => none.insert(new()?),
            };
            let (results, terms) = cut.unit(unit);
            if cut.parts() == 1 {
                worker.whole(results, terms)?;
                continue;
            }
            if !parts.continues(part.as_ref(), unit) {
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
pub(super) struct ReducedParts<R> {
    cut: TermCut,
    made: Vec<Mutex<Option<R>>>,
}

/// What a thread is making.
struct PartInWork {
    first: usize,
    next: usize,
}

impl<R> ReducedParts<R> {
    /// No place is needed if no result is cut.
    fn new(cut: TermCut) -> ReducedParts<R> {
        let places = if cut.parts() == 1 { 0 } else { cut.units() };
        ReducedParts { cut, made: (0..places).map(|_| Mutex::new(None)).collect() }
    }

    /// Whether a unit goes on where a thread is.
    fn continues(&self, current: Option<&PartInWork>, unit: usize) -> bool {
        current.is_some_and(|part| part.next == unit) && !unit.is_multiple_of(self.cut.parts())
    }

    /// Counts a unit that begins something, or goes on.
    fn count(&self, current: &mut Option<PartInWork>, unit: usize) {
        match current {
            Some(part) => part.next = unit + 1,
            None => *current = Some(PartInWork { first: unit, next: unit + 1 }),
        }
    }

    /// Leaves what was made.
    fn leave(&self, part: PartInWork, made: R) {
        *lock(&self.made[part.first]) = Some(made);
    }

    /// What was made of each result, in order: its number and the parts in their order.
    pub(super) fn results(self) -> impl Iterator<Item = (usize, Vec<R>)> {
        let parts = self.cut.parts();
        let mut made = self.made.into_iter().map(into_inner);
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
        let one = ElementCost::of_nothing();
        for (results, terms) in [(1, 0), (1, 1), (1, 1024), (1, 5000), (3, 100_000), (200, 3), (17, 2049)] {
            for threads in [1, 2, 3, 16] {
                for scans in [false, true] {
                    let threads = NonZeroUsize::new(threads);
                    let options = Options { threads, grain: Some(Duration::ZERO), ..Options::default() };
                    let cut = TermCut::new(results, terms, one, scans, &options);
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
