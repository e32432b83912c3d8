//! Turns a kernel's sources and sinks into addresses and strides, and keeps its results.
//!
//! A store over an array that no later kernel reads happens in that array. What the kernel itself reads of it is
//! looked at first: elements that are read where they are written go through a block of scratch, and where reads and
//! writes cross, the new elements are made aside and moved when all are there. A map whose operand nobody reads
//! afterwards is made in the operand's place, if each element is read where its result goes.

use super::again::Again;
use super::alias::{Relation, relation};
use super::gather::Reader;
use super::laid::Last;
use super::loops::{Loops, Use};
use super::store::Store;
use super::walk::{self, Bound};
use crate::array::bytes::AlignedBytes;
use crate::array::{Array, Strides, c_strides};
use crate::exec::options::{Options, RunError};
use crate::exec::space::PerOperand;
use crate::ir::NodeId;
use crate::kernel::{Extent, Kernel, Place, Sink, Source};
use crate::types::DType;
use smallvec::smallvec;
use std::ops::Deref;
use std::sync::Arc;

/// An array that a kernel reads.
pub(super) enum Seen<'p> {
    Input(&'p Array),
    /// Kept alive.
    Made(Array),
}

impl Deref for Seen<'_> {
    type Target = Array;

    fn deref(&self) -> &Array {
        match self {
            Seen::Input(array) => array,
            Seen::Made(array) => array,
        }
    }
}

/// A source, found in memory.
struct Reading<'p> {
    /// Not the array that the kernel writes in place.
    array: Option<Seen<'p>>,
    dtype: DType,
    counts: bool,
    address: usize,
    strides: Strides,
    /// Whether it lies in the array that is written in place.
    written: bool,
}

/// A sink's place in memory.
struct Target {
    address: usize,
    strides: Strides,
    what: Use,
}

/// Runs a kernel, which may be too short to be compiled, and keeps its results.
pub(super) fn run(
    kernel: &Kernel,
    short: bool,
    layout: &Last,
    store: &mut Store,
    options: &Options,
) -> Result<(), RunError> {
    if let Some(kept) = layout.get(options)
        && let Some(again) = &kept.again
        && let Some(addresses) = again.place(store)?
    {
        return Bound { loops: &kept.loops, addresses, readers: &[] }.run(&kept.laid, options);
    }
    let again = Again::of(kernel, store);
    let rank = kernel.space.len();
    let mut readings: PerOperand<Reading> = PerOperand::new();
    for source in &kernel.sources {
        readings.push(reading(source, rank, store, options)?);
    }
    let mut gathered = Vec::new();
    for sink in &kernel.sinks {
        if let Sink::Gather { arg, .. } = sink {
            gathered.push(store.array(*arg, options)?);
        }
    }
    let mut over = None;
    for sink in &kernel.sinks {
        over = make_room(kernel, sink, &mut readings, store, options)?.or(over);
    }

    let (mut loops, mut addresses) = (Loops::new(kernel, short), PerOperand::new());
    for reading in &mut readings {
        loops.operand(reading.dtype, reading.counts, std::mem::take(&mut reading.strides));
        addresses.push(reading.address);
    }
    let (mut aside, mut readers) = (None, Vec::new());
    let mut arrays = gathered.iter();
    for sink in &kernel.sinks {
        let dtype = store.program.node(sink.node()).dtype;
        let mut target = target(kernel, sink, &mut arrays, &mut readers, store);
        match over.map_or(Relation::Apart, |base| written_over(kernel, sink, base, &readings)) {
            Relation::Apart => {}
            Relation::Same => target.what = Use::Buffered,
            Relation::Crossing => {
                // SAFETY: the kernel writes every element before they are moved; when it fails, they are dropped
                // unread.
                let mut bytes = unsafe { store.meter.uninit(dtype, &kernel.space)? };
                let there = Target {
                    address: bytes.as_mut_ptr() as usize,
                    strides: c_strides(&kernel.space, dtype.size()),
                    what: Use::Store,
                };
                aside = Some((bytes, dtype, std::mem::replace(&mut target, there)));
            }
        }
        let value = sink.value();
        loops.operand(kernel.body.insts[value.0 as usize].dtype, false, target.strides);
        addresses.push(target.address);
        loops.outputs.push((value, target.what));
    }
    loops.is_last = aside.is_none() && kernel.sinks.iter().all(|sink| !store.is_read_later(sink.node()));
    if !loops.is_empty() {
        let kept = layout.kept(loops, again, options);
        Bound { loops: &kept.loops, addresses, readers: &readers }.run(&kept.laid, options)?;
    }
    if let Some((bytes, dtype, target)) = aside {
        let made = Array::from_bytes(dtype, kernel.space.clone(), bytes);
        walk::copy_to(&made, target.address, &target.strides, options)?;
        store.meter.release(&made);
    }
    Ok(())
}

/// Where a sink's elements go. What gathers takes the next of the arrays that are read, and adds a reader.
fn target<'a>(
    kernel: &Kernel,
    sink: &Sink,
    arrays: &mut impl Iterator<Item = &'a Array>,
    readers: &mut Vec<Reader>,
    store: &mut Store,
) -> Target {
    let (node, rank) = (sink.node(), kernel.space.len());
    let address = store.begun(node).expect("room was made") as usize;
    let size = store.program.node(node).dtype.size();
    let own = c_strides(&store.sizes(node), size);
    match sink {
        Sink::Store { walk, .. } => {
            let (distance, strides) = lay(walk, &own, rank);
            Target { address: address.wrapping_add_signed(distance), strides, what: Use::Store }
        }
        Sink::Scan { walk, fold, .. } => Target { address, strides: lay(walk, &own, rank).1, what: Use::Scan(*fold) },
        Sink::Fold { fold, .. } => {
            let kept = rank - kernel.reduced;
            let mut strides: Strides = smallvec![0; rank];
            strides[..kept].copy_from_slice(&c_strides(&kernel.space[..kept], size));
            Target { address, strides, what: Use::Fold(*fold) }
        }
        Sink::Gather { axis, .. } => {
            let array = arrays.next().expect("an array for each gather");
            let reader = Reader::new(array, *axis, &own, &kernel.space);
            let what = Use::Gather { reader: readers.len(), bytes: reader.bytes() };
            readers.push(reader);
            Target { address, strides: own[*axis..][..rank].into(), what }
        }
    }
}

/// The distance of a walk's first element from the array's, and how far it moves along each axis of the space.
pub(super) fn lay(walk: &[Place], own: &[isize], rank: usize) -> (isize, Strides) {
    let mut strides: Strides = smallvec![0; rank];
    let mut distance = 0isize;
    for (place, &stride) in walk.iter().zip(own) {
        distance = distance.wrapping_add(place.start.wrapping_mul(stride));
        if let Some(axis) = place.axis {
            strides[axis] = place.step.wrapping_mul(stride);
        }
    }
    (distance, strides)
}

/// The array of a node.
pub(super) fn seen<'p>(node: NodeId, store: &mut Store<'p>, options: &Options) -> Result<Seen<'p>, RunError> {
    Ok(match store.input(node) {
        Some(array) => Seen::Input(array),
        None => Seen::Made(store.array(node, options)?),
    })
}

fn reading<'p>(
    source: &Source,
    rank: usize,
    store: &mut Store<'p>,
    options: &Options,
) -> Result<Reading<'p>, RunError> {
    Ok(match source {
        Source::Array { node, walk } => {
            let array = seen(*node, store, options)?;
            let (distance, strides) = lay(walk, array.strides(), rank);
            let address = (array.pointer() as usize).wrapping_add_signed(distance);
            Reading { dtype: array.dtype(), array: Some(array), counts: false, address, strides, written: false }
        }
        Source::Coordinate(place) => {
            let mut strides: Strides = smallvec![0; rank];
            if let Some(axis) = place.axis {
                strides[axis] = place.step;
            }
            let address = place.start as usize;
            Reading { array: None, dtype: DType::I64, counts: true, address, strides, written: false }
        }
    })
}

/// Makes room for what a sink makes, unless an earlier one has; the node whose array it is made in, if it is.
fn make_room(
    kernel: &Kernel,
    sink: &Sink,
    readings: &mut [Reading],
    store: &mut Store,
    options: &Options,
) -> Result<Option<NodeId>, RunError> {
    let node = sink.node();
    if store.begun(node).is_some() {
        return Ok(None);
    }
    let base = match sink {
        Sink::Store { extent: Extent::Over(base), .. } => Some(*base),
        Sink::Store { extent: Extent::Whole, walk, .. } if !store.is_lent(node) => {
            dying_operand(kernel, node, walk, readings, store)
        }
        _ => None,
    };
    if let Some(bytes) = base.and_then(|base| take_over(kernel, base, readings, store)) {
        store.begin(node, bytes);
        return Ok(base);
    }
    let bytes = match sink {
        Sink::Store { extent: Extent::Over(base), .. } => {
            let array = store.array(*base, options)?;
            walk::copied(&array, store.meter, options)?
        }
        _ => {
            let sizes = store.sizes(node);
            // SAFETY: the stores of a node write every element before it becomes an array; when one fails, the memory
            // is dropped unread.
            unsafe { store.room(node, &sizes)? }
        }
    };
    store.begin(node, bytes);
    Ok(None)
}

/// An operand of a map that nobody reads after this kernel, whose elements are read where the results would go.
fn dying_operand(
    kernel: &Kernel,
    result: NodeId,
    written: &[Place],
    readings: &[Reading],
    store: &Store,
) -> Option<NodeId> {
    let size = store.program.node(result).dtype.size();
    let fits = |source: &Source, reading: &Reading| match source {
        Source::Array { node, walk } => {
            store.is_dying(*node)
                && reading.dtype.size() == size
                && reading.array.as_ref().is_some_and(|array| array.shape() == &store.sizes(result)[..])
                && relation(walk, written, &kernel.space) == Relation::Same
        }
        Source::Coordinate(_) => false,
    };
    let pairs = || kernel.sources.iter().zip(readings);
    let (_, found) = pairs().find(|(source, reading)| fits(source, reading))?;
    let array = found.array.as_ref()?;
    // Whatever else is read of it must be read there too.
    let shares =
        |reading: &Reading| reading.array.as_ref().is_some_and(|own| Arc::ptr_eq(own.buffer(), array.buffer()));
    let mut sharing = pairs().filter(|(_, reading)| shares(reading));
    if !sharing.all(|(source, reading)| fits(source, reading)) {
        return None;
    }
    pairs().find_map(|(source, reading)| match source {
        Source::Array { node, .. } if std::ptr::eq(reading, found) => Some(*node),
        _ => None,
    })
}

/// The memory of an array that nobody reads after this kernel.
fn take_over(kernel: &Kernel, base: NodeId, readings: &mut [Reading], store: &mut Store) -> Option<AlignedBytes> {
    // Another sink might read what this one has already written.
    if kernel.sinks.len() > 1 {
        return None;
    }
    let array = store.take(base)?;
    for reading in readings.iter_mut() {
        let shares = |own: &Seen| Arc::ptr_eq(own.buffer(), array.buffer());
        reading.written = reading.array.as_ref().is_some_and(shares);
        if reading.written {
            reading.array = None;
        }
    }
    match array.into_bytes() {
        Ok(bytes) => Some(bytes),
        Err(array) => {
            for reading in readings.iter_mut().filter(|reading| reading.written) {
                (reading.array, reading.written) = (Some(Seen::Made(array.clone())), false);
            }
            store.put(base, array);
            None
        }
    }
}

/// What the kernel reads of the array of `base`, in which a sink writes.
fn written_over(kernel: &Kernel, sink: &Sink, base: NodeId, readings: &[Reading]) -> Relation {
    let Sink::Store { walk: written, .. } = sink else { return Relation::Apart };
    let sources = kernel.sources.iter().zip(readings).filter(|(_, reading)| reading.written);
    let mut all = Relation::Apart;
    for (source, _) in sources {
        let one = match source {
            Source::Array { node, walk } if *node == base => relation(walk, written, &kernel.space),
            // Seen through a view of its own: anything may be anywhere.
            _ => Relation::Crossing,
        };
        all = match (all, one) {
            (Relation::Crossing, _) | (_, Relation::Crossing) => Relation::Crossing,
            (Relation::Same, _) | (_, Relation::Same) => Relation::Same,
            _ => Relation::Apart,
        };
    }
    all
}
