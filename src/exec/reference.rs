//! The meaning of programs: every node, element by element, into an array of its own.
//!
//! Nothing is fused, shared or reordered here. Each prim is [`eval::eval`], each view reads the element that the
//! language says, and each reduction collects its elements in logical C order of the reduced axes and combines
//! them in the one fixed order:
//!
//! 1. The elements are cut into blocks of 1024; the last block may be shorter.
//! 2. A block has 32 accumulators. Element `i` of the block goes to accumulator `i mod 32`, for increasing `i`: the
//!    first is its value, the others are added to it. In a block of fewer than 32 elements some stay empty.
//! 3. The accumulators are folded in halves: `a[j] += a[j + 16]` for `j < 16`, then 8, 4, 2, 1; `a[0]` is the block.
//!    Empty ones are left out.
//! 4. Blocks `2k` and `2k + 1` are combined, the last stays alone if their number is odd; repeat until one is left.
//! 5. Of nothing: 0 or 1.
//!
//! A scan goes along its axis from the first element on, one after the other.
//!
//! Small floats (`f8_e4m3`, `f8_e5m2`, `bf16`, `f16`) are widened to `f32` first and the result is rounded once;
//! complex sums add the parts; complex products multiply by `(a*c - b*d) + (a*d + b*c)i`. Integer sums and products
//! wrap, so that order does not matter to them, nor to the other reductions. `argmin` and `argmax` compare by `<`:
//! zeros of both signs are equal, and the first extreme element wins, or the first NaN.

use super::memory::Meter;
use super::options::{Options, RunError};
use super::stages::needed_ids;
use super::{preflight, routine};
use crate::array::{Array, Sizes, Strides};
use crate::ir::routine::Routine;
use crate::ir::{Fold, Node, NodeId, NodeKind, Program, Slice, View};
use crate::scalar::prim::Prim;
use crate::scalar::{Scalar, eval};
use crate::types::{DType, Dim, shape};
use std::borrow::Cow;

/// Elements between two looks at the interrupt flag.
const POLL: usize = 1 << 12;

/// Runs the needed nodes of a program.
pub(super) fn run(program: &Program, options: &Options, needed: &[bool]) -> Result<Vec<Array>, RunError> {
    let mut evaluation = Evaluation::new(program, options, needed);
    for (nth, nodes) in stages(program, needed).into_iter().enumerate() {
        if nth > 0 {
            // Checks of later stages have no value yet.
            preflight::checks(program, |node| evaluation.values[node.index()].clone())?;
        }
        nodes.into_iter().try_for_each(|node| evaluation.compute(node))?;
    }
    preflight::checks(program, |node| evaluation.values[node.index()].clone())?;
    Ok(program.outputs.iter().map(|output| evaluation.value(output.node)).collect())
}

/// The needed nodes in the order in which they run. Where lengths follow from data, a fault is told before what follows
/// from it comes to nothing.
fn stages(program: &Program, needed: &[bool]) -> Vec<Vec<NodeId>> {
    let mut nodes: Vec<NodeId> = needed_ids(needed).collect();
    if program.lengths.is_empty() {
        return vec![nodes];
    }
    let stages = super::stages::stages(program);
    let stage = |node: &NodeId| stages[node.index()];
    nodes.sort_by_key(stage);
    nodes.chunk_by(|one, next| stage(one) == stage(next)).map(<[NodeId]>::to_vec).collect()
}

/// A program while it is evaluated.
struct Evaluation<'p> {
    /// The program, whose lengths become known one after the other.
    sized: Cow<'p, Program>,
    options: &'p Options<'p>,
    needed: &'p [bool],
    /// How often the value of each node is still asked for.
    uses: Vec<usize>,
    values: Vec<Option<Array>>,
    meter: Meter,
}

impl<'p> Evaluation<'p> {
    fn new(program: &'p Program, options: &'p Options<'p>, needed: &'p [bool]) -> Evaluation<'p> {
        let operands = needed_ids(needed).flat_map(|id| program.node(id).operands());
        let lengths = program.lengths.iter().map(|length| length.node);
        let mut uses = vec![0; program.nodes.len()];
        operands.chain(program.given()).chain(lengths).for_each(|node| uses[node.index()] += 1);
        let (values, meter) = (vec![None; program.nodes.len()], Meter::new(options.max_memory));
        Evaluation { sized: Cow::Borrowed(program), options, needed, uses, values, meter }
    }

    /// The value of a node that is needed.
    fn value(&self, node: NodeId) -> Array {
        self.values[node.index()].clone().expect("it was made, and is needed")
    }

    /// Gives a node its value, and the lengths that follow from it.
    fn compute(&mut self, id: NodeId) -> Result<(), RunError> {
        if !self.sized.lengths.is_empty() {
            preflight::prepare_node(&self.sized, id)?;
        }
        let node = self.sized.node(id).clone();
        if self.values[id.index()].is_none() {
            self.run_loop(&node)?;
        }
        let value = match self.values[id.index()].take() {
            Some(value) => value,
            None => evaluate(&self.sized, &node, &self.values, self.options, &mut self.meter)?,
        };
        let named = self.sized.lengths.iter().filter(|length| length.node == id);
        let names: Vec<_> = named.map(|length| length.name.clone()).collect();
        for name in names {
            self.sized.to_mut().equate(&name, &Dim::Const(value.get(0).bits as u64));
        }
        self.values[id.index()] = Some(value);
        self.release(&node);
        Ok(())
    }

    /// Runs a loop. All its results are made at once.
    fn run_loop(&mut self, node: &Node) -> Result<(), RunError> {
        let NodeKind::Loop { of, args, .. } = &node.kind else { return Ok(()) };
        let arrays: Vec<Array> = args.iter().map(|&arg| self.value(arg)).collect();
        let options = self.options;
        let mut step = |program: &Program, first: bool, _: &mut Meter| {
            let inner = Options { on_progress: options.on_progress.filter(|_| first), ..*options };
            run(program, &inner, &program.needed_nodes())
        };
        let made = super::loops::run(&of.0, &arrays, &mut self.meter, options, &mut step)?;
        for (index, other) in self.sized.nodes.iter().enumerate().filter(|(index, _)| self.needed[*index]) {
            if let NodeKind::Loop { of: same, args: own, result } = &other.kind
                && same == of
                && own == args
            {
                self.values[index] = Some(made[*result as usize].clone());
            }
        }
        Ok(())
    }

    /// Lets operands go that nobody asks for any more. Inputs belong to the caller.
    fn release(&mut self, node: &Node) {
        for operand in node.operands() {
            self.uses[operand.index()] -= 1;
            if self.uses[operand.index()] == 0
                && let Some(array) = self.values[operand.index()].take()
                && !matches!(self.sized.node(operand).kind, NodeKind::Input(_))
            {
                self.meter.release(array.dtype(), array.shape());
            }
        }
    }
}

fn evaluate(
    program: &Program,
    node: &Node,
    values: &[Option<Array>],
    options: &Options,
    meter: &mut Meter,
) -> Result<Array, RunError> {
    let value = |id: NodeId| values[id.index()].as_ref().expect("operands come before their users");
    let sizes = shape::sizes(&node.shape).expect("sizes were checked");
    let making = ArrayBuilder { dtype: node.dtype, sizes, options, meter };
    match &node.kind {
        NodeKind::Input(input) => Ok(program.inputs[*input as usize].value.clone().expect("inputs were checked")),
        NodeKind::Const(scalar) => making.fill(|_| *scalar),
        NodeKind::Iota { axis } => {
            let (len, inner) = making.along(*axis as usize);
            making.fill(|flat| Scalar::of((flat / inner % len) as i64))
        }
        NodeKind::Map(prim, args) => {
            let args: Vec<Array> = args.iter().flatten().map(|&arg| value(arg).broadcast_to(&making.sizes)).collect();
            making.fill(|flat| {
                let scalars: Vec<Scalar> = args.iter().map(|arg| arg.get(flat)).collect();
                eval::eval(*prim, node.dtype, &scalars)
            })
        }
        NodeKind::View { arg, view } => {
            let (arg, sizes) = (value(*arg), making.sizes.clone());
            let seen = match view {
                View::Broadcast => arg.broadcast_to(&sizes),
                View::Reshape => arg.clone(),
                View::Transpose(order) => {
                    let strides: Strides = order.iter().map(|&from| arg.strides()[from as usize]).collect();
                    arg.view(sizes, strides, arg.offset())
                }
                View::Slice(region) => slice_of(arg, region, &sizes),
                View::Windows(axis) => {
                    let step = arg.strides()[*axis as usize];
                    let strides: Strides = arg.strides().iter().copied().chain([step]).collect();
                    arg.view(sizes, strides, arg.offset())
                }
            };
            making.fill(|flat| seen.get(flat))
        }
        NodeKind::Scan { fold, arg, axis } => making.scanned(*fold, value(*arg), *axis as usize),
        NodeKind::Gather { arg, index, axis } => making.gathered(value(*arg), value(*index), *axis as usize),
        NodeKind::Concat { parts, axis } => {
            making.joined(&parts.iter().map(|&part| value(part)).collect::<Vec<_>>(), *axis as usize)
        }
        NodeKind::Update { base, region, value: new } => making.updated(value(*base), region, value(*new)),
        NodeKind::Param(_) | NodeKind::Loop { .. } => unreachable!("loops ran before, and their steps have inputs"),
        NodeKind::Routine { routine, args } => {
            making.called(*routine, &args.iter().map(|&arg| value(arg)).collect::<Vec<_>>())
        }
        NodeKind::Fold { fold, arg, axes, .. } => making.folded(*fold, value(*arg), axes),
    }
}

/// An array in the making, element by element in the order of rows.
struct ArrayBuilder<'m> {
    dtype: DType,
    sizes: Vec<usize>,
    options: &'m Options<'m>,
    meter: &'m mut Meter,
}

impl ArrayBuilder<'_> {
    /// The array whose elements a function gives, by their numbers.
    fn fill(self, mut element: impl FnMut(usize) -> Scalar) -> Result<Array, RunError> {
        let mut bytes = self.meter.zeroed(self.dtype, &self.sizes)?;
        let size = self.dtype.size();
        for (flat, place) in bytes.as_mut_slice().chunks_exact_mut(size).enumerate() {
            if flat % POLL == 0 {
                self.options.poll()?;
            }
            place.copy_from_slice(&element(flat).bits.to_le_bytes()[..size]);
        }
        Ok(Array::from_bytes(self.dtype, self.sizes, bytes))
    }

    /// The length of an axis, and how many elements lie between two along it.
    fn along(&self, axis: usize) -> (usize, usize) {
        (self.sizes[axis], self.sizes[axis + 1..].iter().product())
    }

    fn scanned(self, fold: Fold, arg: &Array, axis: usize) -> Result<Array, RunError> {
        let (dtype, (len, inner)) = (arg.dtype(), self.along(axis));
        let wide = dtype.computed_in();
        let convert = |to, x| if wide == dtype { x } else { eval::eval(Prim::Convert, to, &[x]) };
        // The accumulators of the rows that lie next to each other.
        let mut totals: Vec<Scalar> = vec![Scalar::zero(wide); inner];
        self.fill(|flat| {
            let element = convert(wide, arg.get(flat));
            let total = &mut totals[flat % inner];
            *total = match flat / inner % len {
                0 => element,
                _ => combine(fold, wide, *total, element),
            };
            convert(dtype, *total)
        })
    }

    fn gathered(self, arg: &Array, index: &Array, axis: usize) -> Result<Array, RunError> {
        let (len, positions) = (arg.shape()[axis], index.shape().iter().product::<usize>());
        let inner: usize = arg.shape()[axis + 1..].iter().product();
        let zero = Scalar::zero(self.dtype);
        self.fill(|flat| {
            let at = index.get(flat / inner % positions).bits as u64 as i64;
            match len {
                0 => zero,
                _ => {
                    let at = at.clamp(0, len as i64 - 1) as usize;
                    arg.get((flat / inner / positions * len + at) * inner + flat % inner)
                }
            }
        })
    }

    fn joined(self, parts: &[&Array], axis: usize) -> Result<Array, RunError> {
        let (len, inner) = self.along(axis);
        self.fill(|flat| {
            let (outer, mut at) = (flat / inner / len, flat / inner % len);
            let part = parts.iter().find(|part| {
                let inside = at < part.shape()[axis];
                at -= if inside { 0 } else { part.shape()[axis] };
                inside
            });
            let part = part.expect("the parts fill the axis");
            part.get((outer * part.shape()[axis] + at) * inner + flat % inner)
        })
    }

    fn updated(self, base: &Array, region: &[Slice], new: &Array) -> Result<Array, RunError> {
        let mut elements: Vec<Scalar> = Vec::new();
        elements.try_reserve_exact(base.len()).map_err(|_| RunError::OutOfMemory { needed: None, limit: None })?;
        elements.extend((0..base.len()).map(|flat| base.get(flat)));
        for flat in 0..new.len() {
            let (mut rest, mut place, mut scale) = (flat, 0, 1);
            for ((slice, len), whole) in region.iter().zip(new.shape()).zip(&self.sizes).rev() {
                place += scale * slice.position(rest % len).expect("regions were checked") as usize;
                rest /= len;
                scale *= whole;
            }
            elements[place] = new.get(flat);
        }
        self.fill(|flat| elements[flat])
    }

    fn called(self, routine: Routine, args: &[&Array]) -> Result<Array, RunError> {
        let (dtype, axes) = (self.dtype, routine.row().axes);
        let own: Vec<&[usize]> = args.iter().map(|arg| &arg.shape()[arg.shape().len() - axes..]).collect();
        let (len, mut made) = (self.sizes[self.sizes.len() - axes..].iter().product::<usize>(), Vec::new());
        self.fill(|flat| {
            if flat % len == 0 {
                let parts = args.iter().zip(&own).map(|(arg, own)| {
                    let count = own.iter().product::<usize>();
                    (flat / len * count..(flat / len + 1) * count).map(|at| arg.get(at)).collect()
                });
                made = routine::meaning(routine, dtype, &parts.collect::<Vec<_>>(), &own, len);
            }
            made[flat % len]
        })
    }

    fn folded(self, fold: Fold, arg: &Array, axes: &[u32]) -> Result<Array, RunError> {
        // The operand with its reduced axes last: a row of it is what one result reduces.
        let (kept, reduced): (Vec<usize>, Vec<usize>) =
            (0..arg.shape().len()).partition(|&axis| !axes.contains(&(axis as u32)));
        let order: Vec<usize> = kept.iter().chain(&reduced).copied().collect();
        let lens: Sizes = order.iter().map(|&axis| arg.shape()[axis]).collect();
        let strides: Strides = order.iter().map(|&axis| arg.strides()[axis]).collect();
        let rows = arg.view(lens, strides, arg.offset());
        let count: usize = reduced.iter().map(|&axis| arg.shape()[axis]).product();
        let (options, mut interrupted) = (self.options, Ok(()));
        let result = self.fill(|flat| {
            let row = (flat * count..(flat + 1) * count).map(|flat| {
                if flat % POLL == 0 && interrupted.is_ok() {
                    interrupted = options.poll();
                }
                if interrupted.is_ok() { rows.get(flat) } else { Scalar::zero(arg.dtype()) }
            });
            fold_elements(fold, arg.dtype(), &row.collect::<Vec<Scalar>>())
        });
        interrupted.and(result)
    }
}

/// The reduction of some elements of a dtype, in the fixed order.
///
/// # Panics
/// When there are none and the reduction of nothing has no value.
pub fn fold_elements(fold: Fold, dtype: DType, elements: &[Scalar]) -> Scalar {
    let computed_in = dtype.computed_in();
    if computed_in != dtype && fold.result(dtype) == dtype {
        let wide: Vec<Scalar> = elements.iter().map(|&x| eval::eval(Prim::Convert, computed_in, &[x])).collect();
        return eval::eval(Prim::Convert, dtype, &[fold_elements(fold, computed_in, &wide)]);
    }
    let is_true = |x: &Scalar| x.bits != 0;
    let position = |found: Option<usize>| Scalar::of(found.map_or(-1, |index| index as i64));
    match fold {
        Fold::Sum => in_order(elements, |a, b| add(dtype, a, b)).unwrap_or(Scalar::zero(dtype)),
        Fold::Prod => in_order(elements, |a, b| multiply(dtype, a, b)).unwrap_or(Scalar::one(dtype)),
        Fold::Min | Fold::Max => {
            // Truth values are ordered too: both, either.
            let prim = match (fold, dtype) {
                (Fold::Min, DType::Bool) => Prim::And,
                (_, DType::Bool) => Prim::Or,
                (Fold::Min, _) => Prim::Min,
                _ => Prim::Max,
            };
            let pick = |a, b| eval::eval(prim, dtype, &[a, b]);
            elements.iter().copied().reduce(pick).expect("reductions of nothing were refused")
        }
        Fold::Any => Scalar { dtype, bits: elements.iter().any(is_true).into() },
        Fold::All => Scalar { dtype, bits: elements.iter().all(is_true).into() },
        Fold::ArgMin => position(first_extreme(elements, |a, b| test(Prim::Lt, a, b))),
        Fold::ArgMax => position(first_extreme(elements, |a, b| test(Prim::Lt, b, a))),
        Fold::FirstTrue => position(elements.iter().position(is_true)),
    }
}

/// Steps 1 to 4 of the fixed order.
fn in_order(elements: &[Scalar], combine: impl Fn(Scalar, Scalar) -> Scalar) -> Option<Scalar> {
    let both = |a: Option<Scalar>, b: Option<Scalar>| match (a, b) {
        (Some(a), Some(b)) => Some(combine(a, b)),
        (a, b) => a.or(b),
    };
    let mut blocks: Vec<Option<Scalar>> = Vec::new();
    for block in elements.chunks(1024) {
        let mut accumulators = [None; 32];
        for (i, &element) in block.iter().enumerate() {
            accumulators[i % 32] = both(accumulators[i % 32], Some(element));
        }
        for half in [16, 8, 4, 2, 1] {
            for j in 0..half {
                accumulators[j] = both(accumulators[j], accumulators[j + half]);
            }
        }
        blocks.push(accumulators[0]);
    }
    while blocks.len() > 1 {
        blocks = blocks.chunks(2).map(|pair| pair.iter().copied().reduce(both).expect("one or two")).collect();
    }
    blocks.first().copied().flatten()
}

/// One step of a scan.
fn combine(fold: Fold, dtype: DType, a: Scalar, b: Scalar) -> Scalar {
    match fold {
        Fold::Sum => add(dtype, a, b),
        Fold::Prod => multiply(dtype, a, b),
        Fold::Min | Fold::Max | Fold::Any | Fold::All | Fold::ArgMin | Fold::ArgMax | Fold::FirstTrue => {
            fold_elements(fold, dtype, &[a, b])
        }
    }
}

/// The elements of a region, without moving them.
pub(super) fn slice_of(arg: &Array, region: &[Slice], sizes: &[usize]) -> Array {
    let mut offset = arg.offset();
    let mut strides = Vec::with_capacity(sizes.len());
    for (slice, stride) in region.iter().zip(arg.strides()) {
        strides.push(stride * slice.step as isize);
        if !sizes.contains(&0) {
            offset = offset.wrapping_add_signed(slice.position(0).expect("regions were checked") * stride);
        }
    }
    arg.view(sizes.to_vec(), strides, offset)
}

fn add(dtype: DType, a: Scalar, b: Scalar) -> Scalar {
    if dtype == DType::Bool {
        return eval::eval(Prim::Or, dtype, &[a, b]);
    }
    if dtype.is_complex() {
        let sum = |part| eval::eval(Prim::Add, dtype.part(), &[part_of(part, a), part_of(part, b)]);
        return eval::eval(Prim::Pair, dtype, &[sum(Prim::Real), sum(Prim::Imag)]);
    }
    eval::eval(Prim::Add, dtype, &[a, b])
}

fn multiply(dtype: DType, a: Scalar, b: Scalar) -> Scalar {
    if dtype == DType::Bool {
        return eval::eval(Prim::And, dtype, &[a, b]);
    }
    if dtype.is_complex() {
        let float = |prim, x, y| eval::eval(prim, dtype.part(), &[x, y]);
        let product = |p, q| float(Prim::Mul, part_of(p, a), part_of(q, b));
        let real = float(Prim::Sub, product(Prim::Real, Prim::Real), product(Prim::Imag, Prim::Imag));
        let imag = float(Prim::Add, product(Prim::Real, Prim::Imag), product(Prim::Imag, Prim::Real));
        return eval::eval(Prim::Pair, dtype, &[real, imag]);
    }
    eval::eval(Prim::Mul, dtype, &[a, b])
}

fn part_of(part: Prim, z: Scalar) -> Scalar {
    eval::eval(part, z.dtype.part(), &[z])
}

fn test(prim: Prim, a: Scalar, b: Scalar) -> bool {
    eval::eval(prim, DType::Bool, &[a, b]).bits != 0
}

/// The first NaN, else the first element that none is `better` than.
fn first_extreme(elements: &[Scalar], better: impl Fn(Scalar, Scalar) -> bool) -> Option<usize> {
    let is_nan = |x: Scalar| test(Prim::Ne, x, x);
    let mut best = 0;
    for (index, &element) in elements.iter().enumerate() {
        if is_nan(element) {
            return Some(index);
        }
        if better(element, elements[best]) {
            best = index;
        }
    }
    (!elements.is_empty()).then_some(best)
}
