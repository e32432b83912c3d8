//! The folds or scans of a kernel. It is decided how their terms are made, and where the elements are.

use super::loops::{Loops, Use};
use crate::exec::fold::{TermForm, Terms};
use crate::exec::space::LoopDim;
use crate::exec::stepping::Step;
use crate::ir::Fold;
use crate::kernel::{Inst, InstId, InstOp};
use crate::types::DType;

/// A fold or a scan.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Reduction {
    pub(crate) operand: usize,
    pub(crate) fold: Fold,
    /// The dtype of the elements.
    pub(crate) dtype: DType,
    /// How terms are made from the elements.
    pub(crate) terms: Terms,
}

/// The folds and scans of a kernel, and where their elements are.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Reductions {
    pub(crate) folds: Vec<Reduction>,
    pub(crate) scans: Vec<Reduction>,
    /// For each fold, then for each scan: the sources whose elements it takes as they are. If terms have one operand,
    /// its source stands twice.
    pub(crate) direct: Vec<Option<[usize; 2]>>,
    /// Whether the loop has nothing to compute.
    pub(crate) idle: bool,
}

impl Reductions {
    /// All folds, then all scans.
    pub(crate) fn all(&self) -> impl Iterator<Item = &Reduction> {
        self.folds.iter().chain(&self.scans)
    }

    /// Where a fold of an idle loop takes its elements.
    pub(crate) fn sources(&self, fold: usize) -> [usize; 2] {
        self.direct[fold].expect("an idle loop's folds read arrays")
    }
}

impl Loops {
    /// The folds and scans among the outputs. With `in_place`, elements that lie densely in memory already are taken
    /// from there.
    pub(crate) fn reductions(&self, inner: &LoopDim, in_place: bool, terms: &[Option<Terms>]) -> Reductions {
        let find = |scans: bool| {
            let outputs = self.outputs.iter().enumerate();
            outputs.filter_map(move |(output, (_, what))| {
                let operand = self.inputs() + output;
                let fold = match what {
                    Use::Fold(fold) if !scans => *fold,
                    Use::Scan(fold) if scans => *fold,
                    Use::Store | Use::Buffered | Use::Fold(_) | Use::Scan(_) | Use::Gather { .. } => return None,
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

    /// For each output that folds along rows, how its terms are made.
    pub(crate) fn terms(&self, reduced: &[LoopDim], count: usize) -> Vec<Option<Terms>> {
        let row = reduced.last().filter(|inner| inner.len == count);
        let step = |value: InstId| match *self.body.inst(value) {
            Inst { op: InstOp::Load(source), dtype } => row.map(|row| Step::of(row.strides[source as usize], dtype)),
            _ => None,
        };
        let terms = self.outputs.iter().map(|(value, what)| match what {
            Use::Fold(fold) => Some(Terms::of(&self.body, *value, *fold, step)),
            Use::Store | Use::Buffered | Use::Scan(_) | Use::Gather { .. } => None,
        });
        terms.collect()
    }

    /// Lets the loop compute the first operand of terms instead of the terms; the fold makes the terms from it.
    pub(crate) fn compute(&mut self, terms: &[Option<Terms>]) {
        for (output, terms) in terms.iter().enumerate() {
            if let Some(Terms { of: [Some(value), _], .. }) = *terms {
                let operand = self.inputs() + output;
                self.outputs[output].0 = value;
                self.dtypes[operand] = self.body.dtype(value);
            }
        }
    }

    /// The sources of which terms are made, if they lie densely along `inner`, or the second is one number.
    fn sources(&self, terms: &Terms, inner: &LoopDim) -> Option<[usize; 2]> {
        let first = self.dense_source(terms.of[0]?, inner)?;
        let second = match (terms.of[1], terms.form) {
            (None, _) => first,
            (Some(second), TermForm::Distance) => match self.body.inst(second).op {
                InstOp::Load(source) => source as usize,
                InstOp::Iota(_) | InstOp::Const(_) | InstOp::Prim(..) => return None,
            },
            (Some(second), _) => self.dense_source(second, inner)?,
        };
        Some([first, second])
    }

    /// The source whose elements are taken as they are, if they lie densely along `inner`. Truth values from outside
    /// may be any byte and are not taken.
    fn dense_source(&self, value: InstId, inner: &LoopDim) -> Option<usize> {
        match *self.body.inst(value) {
            Inst { op: InstOp::Load(source), dtype } if dtype != DType::Bool => {
                let source = source as usize;
                (inner.strides[source] == dtype.size() as isize).then_some(source)
            }
            _ => None,
        }
    }
}
