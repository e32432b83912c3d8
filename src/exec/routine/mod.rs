//! Operations over whole lines or matrices: what they mean, and how they run fast.
//!
//! [`meaning`] is the reference: scalars in, scalars out, one line or matrix at a time. [`run`] does the same with the
//! bytes of arrays, lines and long lines shared by threads. Both follow the rows of [`crate::ir::routine`], and every
//! dtype and every length gives the same bits both ways.

mod argsort;
mod counts;
mod digits;
mod keys;
mod library;
#[cfg(feature = "linalg")]
mod linear;
mod product;
mod ranks;
mod scratch;
mod search;
mod segment;
mod select;
mod sort;
#[cfg(feature = "fft")]
mod spectrum;
mod vector;

use super::memory::Meter;
use super::options::{Options, RunError, Watch};
use super::threads::{available, share};
use crate::array::{Array, Buffer, Sizes};
use crate::ir::routine::{Routine, Scatter};
use crate::locks::lock;
use crate::scalar::Scalar;
use crate::types::DType;
use product::{Matrix, ProductExtent};
use search::Side;
#[cfg(feature = "object")]
pub(super) use segment::identity;
use std::borrow::Cow;
use std::num::NonZeroUsize;
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

/// Elements that one thread should have to itself: fewer are not worth waking another.
const GRAIN: usize = 1 << 16;

/// Elements between two looks at whether someone waits. There are few enough of them even where each is fetched from
/// another place in memory.
const PIECE: usize = 1 << 16;

/// The line or matrix of a result, of those of scalars; `axes` are the operands' own.
pub(super) fn meaning(
    routine: Routine,
    dtype: DType,
    args: &[Vec<Scalar>],
    axes: &[&[usize]],
    len: usize,
) -> Vec<Scalar> {
    match routine {
        Routine::Sort => sort::meaning(&args[0], false).into_iter().map(|at| args[0][at]).collect(),
        Routine::ArgSort { descending } => {
            sort::meaning(&args[0], descending).into_iter().take(len).map(|at| Scalar::of(at as i64)).collect()
        }
        Routine::Ranks => ranks::meaning(dtype, &args[0], &args[1]),
        Routine::SearchLeft => search::meaning(&args[0], &args[1], Side::Left),
        Routine::SearchRight => search::meaning(&args[0], &args[1], Side::Right),
        Routine::Segment(fold) => segment::meaning(fold, dtype, &args[0], &args[1], len),
        Routine::Scatter(scatter) => segment::scatter_meaning(scatter, dtype, args),
        Routine::Compress => select::meaning(&args[1]).map(|at| args[0][at]).collect(),
        Routine::Positions => select::meaning(&args[0]).map(|at| Scalar::of(at as i64)).collect(),
        Routine::Firsts => sort::firsts_of(&args[0]),
        Routine::Count => segment::group_counts(&args[0], len),
        Routine::Product => product::meaning(dtype, &args[0], &args[1], ProductExtent::of(axes[0], axes[1])),
        Routine::ProductFits => product::fits_meaning(&args[0], &args[1], ProductExtent::of(axes[0], axes[1])),
        Routine::Library(function) => library::meaning(function, dtype, args, axes, len),
    }
}

/// One line of each operand, contiguous, and that of the result.
struct LineTask<'l> {
    /// The bytes of the operands.
    args: &'l [Cow<'l, [u8]>],
    /// The dtype of the first.
    dtype: DType,
    /// The bytes of the result.
    out: &'l mut [u8],
    /// How many threads may share it.
    threads: usize,
    /// Where it says that labels or positions were left out.
    strays: &'l StrayFlag,
    watch: Watch<'l>,
}

/// Whether labels or positions were left out, because they are none of the result.
#[derive(Default)]
pub(super) struct StrayFlag(AtomicBool);

impl StrayFlag {
    /// Adds what one thread met.
    fn add(&self, any: bool) {
        if any {
            self.0.store(true, Ordering::Relaxed);
        }
    }

    /// Whether there were any. The threads are done.
    pub(super) fn any(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

impl LineTask<'_> {
    fn run(self, routine: Routine) -> Result<(), RunError> {
        match routine {
            Routine::Sort => sort::sort(self),
            Routine::ArgSort { descending } => argsort::argsort(self, descending),
            Routine::Ranks => ranks::ranks(self),
            Routine::SearchLeft => search::search(self, Side::Left),
            Routine::SearchRight => search::search(self, Side::Right),
            Routine::Segment(fold) => segment::segment(self, fold),
            Routine::Scatter(Scatter::Set) => segment::set(self),
            Routine::Scatter(Scatter::With(fold)) => segment::scatter(self, fold),
            Routine::Compress => select::compress(self),
            Routine::Positions => select::positions(self),
            Routine::Firsts => sort::firsts(self),
            Routine::Count => segment::count(self),
            Routine::Library(function) => library::line(self, function),
            Routine::Product | Routine::ProductFits => unreachable!("these are of matrices"),
        }
    }
}

/// Runs a routine over arrays of the shapes that its row asks for. Routines that combine tell which labels were strays.
///
/// # Errors
/// When there is no memory, or someone does not want to wait.
pub(super) fn run(
    routine: Routine,
    dtype: DType,
    args: &[Array],
    sizes: &[usize],
    strays: &StrayFlag,
    meter: &mut Meter,
    options: &Options,
) -> Result<Array, RunError> {
    if routine.row().axes == 2 {
        let mut bytes = meter.zeroed(dtype, sizes)?;
        let count = sizes[..sizes.len() - 2].iter().product::<usize>();
        let at_once = options.threads.map_or_else(available, NonZeroUsize::get).min(count);
        let scratch = if matches!(routine, Routine::Library(_)) {
            library::scratch_of_matrices(args, &sizes[sizes.len() - 2..]).saturating_mul(at_once)
        } else {
            0
        };
        meter.take(scratch)?;
        of_matrices(routine, args, sizes, bytes.as_mut_slice(), options)?;
        meter.give_back(scratch);
        return Ok(Array::from_bytes(dtype, Sizes::from_slice(sizes), bytes));
    }
    let mut bytes =
        if matches!(routine, Routine::Library(_)) { meter.zeroed(dtype, sizes)? } else { meter.any(dtype, sizes)? };
    let (len, before) = sizes.split_last().expect("results of routines have lines");
    let (count, line) = (before.iter().product::<usize>(), len * dtype.size());
    if count == 0 || line == 0 {
        // No group is there for any label.
        strays.add(args.iter().any(|array| !array.is_empty()));
    } else {
        let elements = args.iter().map(Array::len).max().unwrap_or(0).max(count * len);
        let most = options.threads.map_or_else(available, NonZeroUsize::get);
        let grain = if options.grain.is_some() { 1 } else { GRAIN };
        let threads = most.min(elements.div_ceil(grain)).max(1);
        let alone = if count == 1 { threads } else { 1 };
        let (watch, first) = (options.watch(), args[0].dtype());
        let scratch =
            scratch(routine, args, *len, alone).saturating_mul(if alone == 1 { threads.min(count) } else { 1 });
        meter.take(scratch)?;
        // Many lines are few pieces of work: a short one takes less time than to hand it out.
        let together = if threads == 1 { count } else { count.div_ceil(threads * 8) };
        let groups = bytes.as_mut_slice().chunks_mut(line * together).enumerate().collect();
        let size = elements.div_ceil(count);
        each(groups, threads, watch, |(group, out): (usize, &mut [u8])| {
            let (mut held, mut since) = (Vec::with_capacity(args.len()), 0);
            for (nth, out) in out.chunks_exact_mut(line).enumerate() {
                since += size;
                if since >= GRAIN {
                    watch.poll()?;
                    since = 0;
                }
                held.clear();
                for array in args {
                    held.push(one_line(array, group * together + nth, watch)?);
                }
                LineTask { args: &held, dtype: first, out, threads: alone, strays, watch }.run(routine)?;
            }
            Ok(())
        })?;
        meter.give_back(scratch);
    }
    Ok(Array::from_bytes(dtype, Sizes::from_slice(sizes), bytes))
}

/// The bytes that a line takes besides its operands and its result.
fn scratch(routine: Routine, args: &[Array], len: usize, threads: usize) -> usize {
    let line = |array: &Array| array.shape().last().copied().unwrap_or(1);
    let size = args[0].dtype().size();
    match routine {
        // Elements, or with their places, twice.
        Routine::Sort | Routine::Ranks => {
            let tables = counts::scratch(line(&args[0]), size, threads);
            line(&args[0]).saturating_mul(2 * size).saturating_add(tables)
        }
        Routine::ArgSort { .. } => line(&args[0]).saturating_mul(2 * (size + 4).next_multiple_of(size.max(4))),
        Routine::SearchLeft | Routine::SearchRight => {
            line(&args[0]).saturating_mul(size).saturating_add(search::table_bytes(len))
        }
        Routine::Count => segment::count_scratch(line(&args[0]), len, threads),
        Routine::Segment(fold) => {
            let tables = segment::tables(fold, args[0].dtype(), line(&args[1]), len, threads);
            len.saturating_mul(size * (tables - 1))
        }
        Routine::Scatter(_) | Routine::Compress | Routine::Positions | Routine::Firsts => 0,
        Routine::Product | Routine::ProductFits => 0,
        Routine::Library(_) => library::scratch(line(&args[0]).max(len), size),
    }
}

/// Runs a routine of matrices. Many of them are shared by threads, and so is each of few.
fn of_matrices(
    routine: Routine,
    args: &[Array],
    sizes: &[usize],
    out: &mut [u8],
    options: &Options,
) -> Result<(), RunError> {
    let (before, own) = sizes.split_at(sizes.len() - 2);
    let (count, size) = (before.iter().product::<usize>(), out.len() / sizes.iter().product::<usize>().max(1));
    let bytes = own.iter().product::<usize>() * size;
    if count == 0 || bytes == 0 {
        return Ok(());
    }
    let (watch, threads) = (options.watch(), options.threads.map_or_else(available, NonZeroUsize::get));
    let alone = if count < threads { threads } else { 1 };
    if let Routine::Library(function) = routine {
        // Of many small ones several are taken at once.
        let together = (count / (threads * 16)).clamp(1, 64);
        let out = out.chunks_mut(bytes * together).enumerate().collect();
        return each(out, threads, watch, |(group, out): (usize, &mut [u8])| {
            for (index, out) in out.chunks_exact_mut(bytes).enumerate() {
                watch.poll()?;
                library::matrices(function, args, group * together + index, (out, own), watch)?;
            }
            Ok(())
        });
    }
    let [left, right] = args else { unreachable!("products have two factors") };
    let (extent, dtype) = (ProductExtent::of(left.shape(), right.shape()), left.dtype());
    let out = out.chunks_exact_mut(bytes).enumerate().collect();
    each(out, if alone == 1 { threads } else { 1 }, watch, |(index, out): (usize, &mut [u8])| {
        let factors = (Matrix::of(left, index), Matrix::of(right, index));
        if routine == Routine::ProductFits {
            product::fits(dtype, factors, extent, out, alone, watch)
        } else {
            product::product(dtype, factors, extent, out, alone, watch)
        }
    })
}

/// Does something with each item, on up to `threads` threads.
fn each<T: Send>(
    items: Vec<T>,
    threads: usize,
    watch: Watch,
    work: impl Fn(T) -> Result<(), RunError> + Sync,
) -> Result<(), RunError> {
    let items: Vec<Mutex<Option<T>>> = items.into_iter().map(|item| Mutex::new(Some(item))).collect();
    share(items.len(), threads, watch, |hand| {
        while let Some(index) = hand.next() {
            watch.poll()?;
            let item = lock(&items[index]).take();
            item.map_or(Ok(()), &work)?;
        }
        Ok(())
    })
}

/// The bytes of the line with this number, copied where they do not lie one after the other, or may be any truth.
fn one_line<'a>(array: &'a Array, index: usize, watch: Watch) -> Result<Cow<'a, [u8]>, RunError> {
    let (size, shape, strides) = (array.dtype().size(), array.shape(), array.strides());
    let (&len, before) = shape.split_last().expect("operands of routines have lines");
    if len == 0 {
        return Ok(Cow::Borrowed(&[]));
    }
    let (mut rest, mut start) = (index, array.offset() as isize);
    for (&count, &stride) in before.iter().zip(strides).rev() {
        start += (rest % count) as isize * stride;
        rest /= count;
    }
    let stride = strides[before.len()];
    let is_settled = array.dtype() != DType::Bool || matches!(**array.buffer(), Buffer::Owned(_));
    if let Some(bytes) = array.buffer().bytes().filter(|_| is_settled) {
        if stride == size as isize || len == 1 {
            return Ok(Cow::Borrowed(&bytes[start as usize..][..len * size]));
        }
        let mut copy = reserved(len * size, watch)?;
        copy.resize(len * size, 0);
        with_word!(size, W => {
            for (at, place) in copy.as_chunks_mut::<{ size_of::<W>() }>().0.iter_mut().enumerate() {
                let from = (start + at as isize * stride) as usize;
                place.copy_from_slice(&bytes[from..from + size_of::<W>()]);
            }
        });
        return Ok(Cow::Owned(copy));
    }
    let mut copy = reserved(len * size, watch)?;
    copy.resize(len * size, 0);
    if stride == size as isize {
        array.buffer().read(start as usize, &mut copy);
    } else {
        for (at, place) in copy.chunks_exact_mut(size).enumerate() {
            array.buffer().read((start + at as isize * stride) as usize, place);
        }
    }
    if array.dtype() == DType::Bool {
        copy.iter_mut().for_each(|truth| *truth = u8::from(*truth != 0));
    }
    Ok(Cow::Owned(copy))
}

/// Does something with the elements of a line, some at a time, and looks between them at whether to go on.
fn by_pieces(len: usize, watch: Watch, mut work: impl FnMut(Range<usize>)) -> Result<(), RunError> {
    for start in (0..len).step_by(PIECE) {
        if start > 0 {
            watch.poll()?;
        }
        work(start..len.min(start + PIECE));
    }
    Ok(())
}

/// Room for `count` items, if there is memory.
fn reserved<T>(count: usize, watch: Watch) -> Result<Vec<T>, RunError> {
    let mut items = Vec::new();
    items.try_reserve_exact(count).map_err(|_| watch.out_of_memory())?;
    Ok(items)
}

/// The positions in a line of `i64`.
fn positions(bytes: &[u8]) -> impl Iterator<Item = i64> + '_ {
    bytes.chunks_exact(8).map(|word| i64::from_le_bytes(word.try_into().expect("eight bytes")))
}

/// Evaluates `$body` with `$W` as the unsigned word of `$size` bytes.
macro_rules! with_word {
    ($size:expr, $W:ident => $body:expr) => {
        match $size {
            1 => {
                type $W = u8;
                $body
            }
            2 => {
                type $W = u16;
                $body
            }
            4 => {
                type $W = u32;
                $body
            }
            8 => {
                type $W = u64;
                $body
            }
            _ => {
                type $W = u128;
                $body
            }
        }
    };
}
use with_word;

/// Items that a run of elements is cut into, so that each thread has some.
fn pieces(len: usize, threads: usize) -> usize {
    len.div_ceil((threads * 4).max(1)).max(1)
}

#[cfg(test)]
mod tests;
