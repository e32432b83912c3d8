//! A plan for all lengths at once.
//!
//! A plan is made for sizes that are numbers. Its decisions do not depend on which large numbers these are. So the
//! program is planned for several values of its unknown lengths. Every number of the plans is then a polynomial of the
//! lengths: it is found from its values, and tested with more of them. If plans differ in anything else, there is no
//! plan for all lengths.

use super::form::{Fit, LinearForm, Unknown, Unknowns};
use super::refusal::{BuildRefusal, NotBuilt};
use crate::exec::plan::{LoopNest, Loops, NestKind, Origin, Plan, PlanStep, Reduction, Storage, StoredArray, Use};
use crate::exec::space::LoopDim;
use crate::ir::{NodeId, NodeKind, Program, View};
use crate::kernel::{Body, InstId, fuse};
use crate::scalar::Scalar;
use crate::types::{DType, Dim};
use std::sync::Arc;

/// Elements in some storage.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct ElementsAt<N> {
    pub(super) storage: Storage,
    pub(super) dtype: DType,
    pub(super) sizes: Vec<N>,
    pub(super) strides: Vec<N>,
    pub(super) offset: N,
}

/// A loop: how often it runs, and how far each operand moves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Dimension<N> {
    pub(super) len: N,
    pub(super) strides: Vec<N>,
}

/// Where an operand begins.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum OperandStart<N> {
    Count(N),
    At { storage: Storage, offset: N },
}

/// An array that is read by position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct ByPosition<N> {
    pub(super) storage: Storage,
    pub(super) offset: N,
    pub(super) len: N,
    pub(super) stride: N,
    pub(super) dims: Vec<Dimension<N>>,
    pub(super) run: N,
    pub(super) dtype: DType,
}

/// Nested loops.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct SymbolicNest<N> {
    pub(super) kind: NestKind,
    pub(super) outer: Vec<Dimension<N>>,
    pub(super) between: Vec<Dimension<N>>,
    pub(super) inner: Dimension<N>,
    /// How far operands move from one element of the innermost loop to the next.
    pub(super) moves: Vec<N>,
    pub(super) begins: Vec<OperandStart<N>>,
    pub(super) readers: Vec<ByPosition<N>>,
    pub(super) body: Body,
    pub(super) dtypes: Vec<DType>,
    pub(super) outputs: Vec<(InstId, OutputUse)>,
    pub(super) folds: Vec<Reduction>,
    pub(super) scans: Vec<Reduction>,
}

/// What becomes of an output's elements: [`Use`] without numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum OutputUse {
    Store,
    Buffered,
    Reduced,
    Gather(usize),
}

/// One step of a plan. Memory is found before the first step.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum SymbolicStep<N> {
    Run(Box<SymbolicNest<N>>),
    Check { check: usize, at: ElementsAt<N> },
}

/// Memory that a plan asks for.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct SymbolicBuffer<N> {
    pub(super) dtype: DType,
    pub(super) sizes: Vec<N>,
    pub(super) lent: Option<NodeId>,
}

/// An input, in C order.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct InputPlace<N> {
    pub(super) input: u32,
    pub(super) dtype: DType,
    pub(super) sizes: Vec<N>,
}

/// A plan whose numbers are of some kind.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct PlanOf<N> {
    pub(super) inputs: Vec<InputPlace<N>>,
    pub(super) buffers: Vec<SymbolicBuffer<N>>,
    pub(super) constants: Vec<Scalar>,
    pub(super) steps: Vec<SymbolicStep<N>>,
    pub(super) outputs: Vec<ElementsAt<N>>,
}

/// Turns the numbers of a plan into others, one after the other in a fixed order.
struct MapNumbers<'f, N>(&'f mut dyn FnMut(i64) -> N);

impl<N> MapNumbers<'_, N> {
    fn one(&mut self, number: isize) -> N {
        self.0(number as i64)
    }

    fn all<'n>(&mut self, numbers: impl IntoIterator<Item = &'n isize>) -> Vec<N> {
        numbers.into_iter().map(|&number| self.one(number)).collect()
    }

    fn sizes(&mut self, sizes: &[usize]) -> Vec<N> {
        sizes.iter().map(|&size| self.one(size as isize)).collect()
    }

    fn dims(&mut self, dims: &[LoopDim]) -> Vec<Dimension<N>> {
        dims.iter().map(|dim| self.dim(dim)).collect()
    }

    fn dim(&mut self, dim: &LoopDim) -> Dimension<N> {
        Dimension { len: self.one(dim.len as isize), strides: self.all(&dim.strides) }
    }

    fn place(&mut self, at: &StoredArray) -> ElementsAt<N> {
        ElementsAt {
            storage: at.storage,
            dtype: at.dtype,
            sizes: self.sizes(&at.sizes),
            strides: self.all(&at.strides),
            offset: self.one(at.offset),
        }
    }

    fn begin(&mut self, origin: &Origin) -> OperandStart<N> {
        match *origin {
            Origin::Count(first) => OperandStart::Count(self.one(first)),
            Origin::At { storage, offset } => OperandStart::At { storage, offset: self.one(offset) },
        }
    }

    fn nest(&mut self, step: &LoopNest) -> SymbolicNest<N> {
        let LoopNest { loops, nest, .. } = step;
        let Loops { body, dtypes, outputs, .. } = loops;
        let kept = |what: &Use| match what {
            Use::Store => OutputUse::Store,
            Use::Buffered => OutputUse::Buffered,
            Use::Fold(_) | Use::Scan(_) => OutputUse::Reduced,
            Use::Gather { reader, .. } => OutputUse::Gather(*reader),
        };
        SymbolicNest {
            kind: nest.kind,
            outer: self.dims(&nest.outer),
            between: self.dims(&nest.between),
            inner: self.dim(&nest.inner),
            moves: self.all(&nest.moves),
            begins: step.origins.iter().map(|origin| self.begin(origin)).collect(),
            readers: step
                .readers
                .iter()
                .map(|reader| ByPosition {
                    storage: reader.storage,
                    offset: self.one(reader.offset),
                    len: self.one(reader.len as isize),
                    stride: self.one(reader.stride),
                    dims: self.dims(&reader.dims),
                    run: self.one(reader.run as isize),
                    dtype: reader.dtype,
                })
                .collect(),
            body: body.clone(),
            dtypes: dtypes.to_vec(),
            outputs: outputs.iter().map(|(value, what)| (*value, kept(what))).collect(),
            folds: nest.reductions.folds.clone(),
            scans: nest.reductions.scans.clone(),
        }
    }

    fn plan(&mut self, plan: &Plan) -> PlanOf<N> {
        let inputs = plan.inputs.iter();
        PlanOf {
            inputs: inputs
                .map(|input| InputPlace { input: input.input, dtype: input.dtype, sizes: self.sizes(&input.sizes) })
                .collect(),
            buffers: plan
                .buffers
                .iter()
                .map(|buffer| SymbolicBuffer {
                    dtype: buffer.dtype,
                    sizes: self.sizes(&buffer.sizes),
                    lent: buffer.lent,
                })
                .collect(),
            constants: plan.constants.iter().map(|array| array.get(0)).collect(),
            steps: plan
                .steps
                .iter()
                .filter_map(|step| match step {
                    PlanStep::Allocate(_) | PlanStep::Release(_) => None,
                    PlanStep::Run(nest) => Some(SymbolicStep::Run(Box::new(self.nest(nest)))),
                    PlanStep::Check { check, at } => Some(SymbolicStep::Check { check: *check, at: self.place(at) }),
                })
                .collect(),
            outputs: plan.outputs.iter().map(|output| self.place(output)).collect(),
        }
    }
}

/// A plan whose numbers are forms, and the unknowns of these forms.
#[derive(Debug)]
pub(super) struct SymbolicPlan {
    pub(super) unknowns: Unknowns,
    pub(super) plan: PlanOf<LinearForm>,
}

/// The greatest degree of a number of a plan: the bytes of a stride over three axes.
const DEGREE: usize = 3;

/// The most unknowns for which the equations are small.
const MAX_UNKNOWNS: usize = 10;

impl SymbolicPlan {
    /// The plan of a program, with memory of the caller for some nodes.
    ///
    /// # Errors
    /// When there is no one plan for all lengths.
    pub(super) fn new(program: &Program, lent: &[NodeId]) -> Result<SymbolicPlan, NotBuilt> {
        let unknowns = unknowns(program);
        if unknowns.all.len() > MAX_UNKNOWNS {
            return Err(BuildRefusal::TooManyLengths { count: unknowns.all.len(), most: MAX_UNKNOWNS }.into());
        }
        if unknowns.all.is_empty() {
            let plan = planned(program, &unknowns, &[], lent)?;
            let known = |number| LinearForm { terms: if number == 0 { vec![] } else { vec![(vec![], number)] } };
            let plan = MapNumbers(&mut { known }).plan(&plan);
            return Ok(SymbolicPlan { unknowns, plan });
        }
        for degree in 1..=DEGREE {
            if let Some(plan) = of_degree(program, &unknowns, degree, lent)? {
                return Ok(SymbolicPlan { unknowns, plan });
            }
        }
        Err(BuildRefusal::SeveralPlans.into())
    }
}

/// The unknowns of a program and of the steps of its loops.
pub(super) fn all_unknowns(program: &Program) -> Unknowns {
    let mut all = unknowns(program);
    for of in program.loops() {
        for part in std::iter::once(&of.step).chain(&of.condition) {
            all_unknowns(part).all.iter().for_each(|unknown| all.add_atom(unknown));
        }
    }
    all
}

/// The unknowns of the nodes that are needed.
fn unknowns(program: &Program) -> Unknowns {
    let mut unknowns = Unknowns::default();
    sizes(program).into_iter().for_each(|dim| unknowns.add(dim));
    unknowns
}

/// Values of the unknowns at a probe. Each unknown has a range of its own, so the order of their sizes never changes.
/// One that is made of others is several times smaller than these, so no difference is below 0.
fn probe(number: usize, unknowns: usize) -> Vec<i64> {
    let mut state = number as u64 + 1;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 40) as i64
    };
    // The product of three lengths fits in any case.
    let times: i64 = if unknowns <= 6 { 4 } else { 2 };
    (0..unknowns).map(|at| 1500 * times.pow((unknowns - 1 - at) as u32) + next() % 500).collect()
}

/// The values of a probe, in another order.
fn ordered(order: &[usize], number: usize) -> Vec<i64> {
    let values = probe(number, order.len());
    order.iter().map(|&at| values[at]).collect()
}

/// The place of each unknown in an order of sizes. No length is below 0 in this order, if exchanging names gives such
/// an order, or making what is subtracted the smallest: for `n - m`, `n` must be the larger one, and for
/// `min(m+3, n) - m`, the length of `x[m:m+3]`, `m` must be smaller than the minimum.
fn order(program: &Program, unknowns: &Unknowns) -> Vec<usize> {
    let mut order: Vec<usize> = (0..unknowns.all.len()).collect();
    let is_name = |at: &&usize| matches!(unknowns.all[**at], Unknown::Name(_));
    for _ in 0..MAX_UNKNOWNS * MAX_UNKNOWNS {
        let values = ordered(&order, 0);
        let is_negative = |dim: &&Dim| unknowns.value(dim, &values).is_some_and(|value| value < 0);
        let found = sizes(program).into_iter().find(is_negative).and_then(Dim::form);
        let Some(form) = found.map(|form| unknowns.form(&form)) else { break };
        let of_sign = |sign: i64| {
            let those = form.terms.iter().filter(move |(_, factor)| factor.signum() == sign);
            those.flat_map(|(monomial, _)| monomial)
        };
        let largest = |sign: i64| of_sign(sign).copied().max_by_key(|&at| values[at]);
        let largest_name = |sign: i64| of_sign(sign).filter(is_name).copied().max_by_key(|&at| values[at]);
        match (largest_name(1), largest_name(-1), largest(1), largest(-1)) {
            (Some(more), Some(less), ..) if values[more] < values[less] => order.swap(more, less),
            (.., Some(more), Some(less)) if values[more] < values[less] => {
                let place = order[less];
                order.iter_mut().filter(|other| **other > place).for_each(|other| *other -= 1);
                order[less] = order.len() - 1;
            }
            _ => break,
        }
    }
    order
}

/// The lengths and the starts of slices of the nodes that are needed.
fn sizes(program: &Program) -> Vec<&Dim> {
    let mut all: Vec<&Dim> = Vec::new();
    for (node, _) in program.nodes.iter().zip(program.needed_nodes()).filter(|(_, needed)| *needed) {
        all.extend(&node.shape);
        if let NodeKind::View { view: View::Slice(region), .. } | NodeKind::Update { region, .. } = &node.kind {
            all.extend(region.iter().map(|slice| &slice.start));
        }
    }
    all
}

/// The plan, if its numbers are forms of at most this degree.
fn of_degree(
    program: &Program,
    unknowns: &Unknowns,
    degree: usize,
    lent: &[NodeId],
) -> Result<Option<PlanOf<LinearForm>>, NotBuilt> {
    let count = Fit::probes(unknowns.all.len(), degree);
    let order = order(program, unknowns);
    let probes: Vec<Vec<i64>> = (0..count).map(|at| ordered(&order, at)).collect();
    let Some(fit) = Fit::new(&probes, degree) else { return Ok(None) };
    let mut first: Option<(Plan, PlanOf<()>)> = None;
    let mut values: Vec<Vec<i64>> = Vec::new();
    for probe in &probes {
        let plan = planned(program, unknowns, probe, lent)?;
        let mut at = 0;
        let mut note = |number| {
            match values.get_mut(at) {
                Some(known) => known.push(number),
                None => values.push(vec![number]),
            }
            at += 1;
        };
        let skeleton = MapNumbers(&mut note).plan(&plan);
        match &first {
            None => first = Some((plan, skeleton)),
            Some((_, known)) if *known == skeleton => {}
            Some(_) => return Ok(None),
        }
    }
    let Some((plan, _)) = first else { return Ok(None) };
    let Some(forms) = values.iter().map(|values| fit.form(values)).collect::<Option<Vec<LinearForm>>>() else {
        return Ok(None);
    };
    let mut forms = forms.into_iter();
    let mut next = |_| forms.next().expect("there is a form for each number");
    Ok(Some(MapNumbers(&mut next).plan(&plan)))
}

/// The plan for some values of the unknowns.
fn planned(program: &Program, unknowns: &Unknowns, values: &[i64], lent: &[NodeId]) -> Result<Plan, NotBuilt> {
    let known = |dim: &Dim| {
        let value = unknowns.value(dim, values).and_then(|value| u64::try_from(value).ok());
        value.map(Dim::Const).ok_or_else(|| BuildRefusal::Bounds(dim.clone()))
    };
    let needed = program.needed_nodes();
    let mut program = program.clone();
    for (node, needed) in Arc::make_mut(&mut program.nodes).iter_mut().zip(&needed) {
        if !needed {
            continue;
        }
        for dim in &mut node.shape {
            *dim = known(dim)?;
        }
        if let NodeKind::View { view: View::Slice(region), .. } | NodeKind::Update { region, .. } = &mut node.kind {
            for slice in region.iter_mut() {
                slice.start = known(&slice.start)?;
            }
        }
    }
    let kernels = fuse::fuse(&program).map_err(|_| BuildRefusal::LaterLength)?;
    Ok(crate::exec::plan::for_lengths(&program, &kernels, lent))
}
