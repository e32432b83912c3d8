//! The arrays of a run: inputs, what kernels have made, and views of both.

use super::lives::{Lives, sizes};
use super::walk;
use crate::array::bytes::AlignedBytes;
use crate::array::{Array, Sizes, Strides};
use crate::exec::lent::Lent;
use crate::exec::memory::Meter;
use crate::exec::options::{Options, RunError};
use crate::ir::{NodeId, NodeKind, Program, View};
use crate::kernel::Kernel;
use smallvec::{SmallVec, smallvec};

/// The array of a node.
#[derive(Default)]
struct Held {
    made: Option<Array>,
    /// What is being made: not all of it is written yet.
    begun: Option<AlignedBytes>,
    /// How many stores of it have happened.
    stores: u32,
}

/// The arrays by the node that they hold.
pub(super) struct Store<'p> {
    pub(super) program: &'p Program,
    pub(super) meter: &'p mut Meter,
    lives: &'p Lives,
    /// Of each node that is made; mostly one.
    held: SmallVec<[Held; 2]>,
    /// The number of this kernel.
    now: u32,
    /// Copies that reshapes needed, with their node and the node they show.
    copies: Vec<(NodeId, NodeId, Array)>,
    /// Memory that is to hold nodes.
    lent: &'p [(NodeId, &'p Lent<'p>)],
}

impl<'p> Store<'p> {
    pub(super) fn new(
        program: &'p Program,
        lives: &'p Lives,
        meter: &'p mut Meter,
        lent: &'p [(NodeId, &'p Lent<'p>)],
    ) -> Store<'p> {
        let held = (0..lives.made).map(|_| Held::default()).collect();
        Store { program, meter, lives, held, now: 0, copies: Vec::new(), lent }
    }

    /// Whether there is memory that is to hold a node.
    pub(super) fn is_lent(&self, node: NodeId) -> bool {
        self.lent.iter().any(|(known, _)| *known == node)
    }

    /// Memory for a node that a kernel is about to make: what is lent for it, or some of our own.
    ///
    /// # Safety
    /// As for [`AlignedBytes::uninit`]: all of it is written before it is read.
    pub(super) unsafe fn room(&mut self, node: NodeId, sizes: &[usize]) -> Result<AlignedBytes, RunError> {
        if let Some((_, lent)) = self.lent.iter().find(|(known, _)| *known == node) {
            return Ok(lent.bytes());
        }
        // SAFETY: the caller's promise.
        unsafe { self.meter.uninit(self.program.node(node).dtype, sizes) }
    }

    /// Fails when the result of a kernel exceeds the ceiling by itself: what is computed before it would be for nothing.
    pub(super) fn could_hold(&self, kernels: &[Kernel]) -> Result<(), RunError> {
        kernels.iter().flat_map(|kernel| &kernel.sinks).try_for_each(|sink| {
            let (node, made) = (sink.node(), self.lives.place(sink.node()));
            made.map_or(Ok(()), |place| self.meter.could_hold(self.program.node(node).dtype, &self.lives.sizes[place]))
        })
    }

    fn held(&mut self, node: NodeId) -> Option<&mut Held> {
        self.lives.place(node).map(|place| &mut self.held[place])
    }

    /// What a kernel makes.
    fn making(&mut self, node: NodeId) -> &mut Held {
        self.held(node).expect("kernels make it")
    }

    /// The sizes of a node's shape.
    pub(super) fn sizes(&self, node: NodeId) -> Sizes {
        match self.lives.place(node) {
            Some(place) => Sizes::from_slice(&self.lives.sizes[place]),
            None => sizes(self.program, node),
        }
    }

    /// Where the elements of a node are written that is being made.
    pub(super) fn begun(&mut self, node: NodeId) -> Option<*mut u8> {
        self.making(node).begun.as_mut().map(AlignedBytes::as_mut_ptr)
    }

    /// Whether a later kernel reads a node.
    pub(super) fn is_read_later(&self, node: NodeId) -> bool {
        self.lives.read[node.index()].is_some_and(|last| last > self.now)
    }

    /// Begins to make a node in this memory.
    pub(super) fn begin(&mut self, node: NodeId, bytes: AlignedBytes) {
        self.making(node).begun = Some(bytes);
    }

    /// Whether one store makes all of a node.
    pub(super) fn is_made_once(&self, node: NodeId) -> bool {
        self.lives.stores[node.index()] == 1
    }

    /// Whether a node was made by an earlier kernel and is read by none after this one, nor given by the program.
    pub(super) fn is_dying(&self, node: NodeId) -> bool {
        let place = self.lives.place(node);
        self.lives.last[node.index()] == self.now && place.is_some_and(|place| self.held[place].made.is_some())
    }

    /// The array of a node that this kernel is the last to read, for good. Inputs and what the program gives never.
    pub(super) fn take(&mut self, node: NodeId) -> Option<Array> {
        if self.lives.last[node.index()] != self.now {
            return None;
        }
        self.held(node)?.made.take()
    }

    /// Gives back what was taken.
    pub(super) fn put(&mut self, node: NodeId, array: Array) {
        self.making(node).made = Some(array);
    }

    /// After a kernel: keeps what it has made, and lets go of what none will read.
    pub(super) fn end_kernel(&mut self, kernel: &Kernel) {
        for sink in &kernel.sinks {
            let node = sink.node();
            let sizes = self.sizes(node);
            let (dtype, stores) = (self.program.node(node).dtype, self.lives.stores[node.index()]);
            let held = self.making(node);
            held.stores += 1;
            if held.stores == stores
                && let Some(bytes) = held.begun.take()
            {
                held.made = Some(Array::from_bytes(dtype, sizes, bytes));
            }
        }
        let lives = self.lives;
        lives.ending[self.now as usize].iter().for_each(|&home| self.forget(home));
        self.now += 1;
    }

    /// Lets go of an array, and of copies of it.
    fn forget(&mut self, home: NodeId) {
        if let Some(array) = self.held(home).and_then(|held| held.made.take()) {
            self.meter.release(&array);
        }
        let meter = &mut self.meter;
        self.copies.retain(|(_, of, copy)| {
            if *of == home {
                meter.release(copy);
            }
            *of != home
        });
    }

    /// The array of a node that is an input as it was given.
    pub(super) fn input(&self, node: NodeId) -> Option<&'p Array> {
        match self.program.node(node).kind {
            NodeKind::Input(input) => self.program.inputs[input as usize].value.as_ref(),
            _ => None,
        }
    }

    /// The array of a node that is an input, or was made; `None` for views of them, and for constants.
    pub(super) fn in_memory(&self, node: NodeId) -> Option<&Array> {
        self.input(node).or_else(|| self.held[self.lives.place(node)?].made.as_ref())
    }

    /// The array that holds a node which is no view of another.
    fn stored(&self, node: NodeId) -> Array {
        match &self.program.node(node).kind {
            NodeKind::Input(_) => self.input(node).expect("inputs were checked").clone(),
            NodeKind::Const(scalar) => Array::from_scalar(*scalar),
            _ => {
                let made = self.lives.place(node).and_then(|place| self.held[place].made.clone());
                made.expect("kernels run in order")
            }
        }
    }

    /// The array of a node: stored, or a view of what is stored, copied where a reshape cannot be a view.
    pub(super) fn array(&mut self, node: NodeId, options: &Options) -> Result<Array, RunError> {
        let mut chain = Vec::new();
        let mut base = node;
        let mut found = None;
        while let Some(arg) = self.lives.stored.argument(self.program, base) {
            found = self.copies.iter().find(|(known, ..)| *known == base).map(|(.., copy)| copy.clone());
            if found.is_some() {
                break;
            }
            chain.push(base);
            base = arg;
        }
        let mut array = found.unwrap_or_else(|| self.stored(base));
        for view in chain.into_iter().rev() {
            array = self.view(array, view, options)?;
        }
        Ok(array)
    }

    /// The array of a node that nobody asks for again.
    pub(super) fn give(&mut self, node: NodeId, options: &Options) -> Result<Array, RunError> {
        match self.held(node).and_then(|held| held.made.take()) {
            Some(array) => Ok(array),
            None => self.array(node, options),
        }
    }

    fn view(&mut self, array: Array, node: NodeId, options: &Options) -> Result<Array, RunError> {
        let sizes = self.sizes(node);
        let NodeKind::View { view, .. } = &self.program.node(node).kind else { return Ok(array) };
        Ok(match view {
            View::Broadcast => array.broadcast_to(&sizes),
            View::Transpose(order) => {
                let strides: Strides = order.iter().map(|&from| array.strides()[from as usize]).collect();
                array.view(sizes, strides, array.offset())
            }
            View::Slice(region) => crate::exec::reference::sliced(&array, region, &sizes),
            View::Reshape => match reshaped(&array, &sizes) {
                Some(strides) => array.view(sizes, strides, array.offset()),
                None => {
                    let bytes = walk::copied(&array, self.meter, options)?;
                    let copy = Array::from_bytes(array.dtype(), sizes, bytes);
                    let home = self.lives.stored.home(self.program, node);
                    self.copies.push((node, home, copy.clone()));
                    copy
                }
            },
        })
    }
}

/// The strides that show an array's elements, in logical C order, under other sizes; `None` when none do.
///
/// Axes longer than 1 are matched in groups of equal products; within a group the array must be one run of equal
/// steps.
fn reshaped(array: &Array, sizes: &[usize]) -> Option<Strides> {
    if array.is_empty() {
        return Some(crate::array::c_strides(sizes, array.dtype().size()));
    }
    let old: Vec<(usize, isize)> =
        array.shape().iter().copied().zip(array.strides().iter().copied()).filter(|(len, _)| *len != 1).collect();
    let mut strides: Strides = smallvec![0; sizes.len()];
    let (mut from, mut to) = (0, 0);
    while from < old.len() {
        let (mut have, first) = (old[from].0, from);
        from += 1;
        while to < sizes.len() && sizes[to] == 1 {
            to += 1;
        }
        let begin = to;
        let mut want = *sizes.get(to)?;
        to += 1;
        while have != want {
            if have < want {
                have = have.checked_mul(old.get(from)?.0)?;
                from += 1;
            } else {
                want = want.checked_mul(*sizes.get(to)?)?;
                to += 1;
            }
        }
        let run = old[first..from].windows(2).all(|pair| pair[0].1 == pair[1].1.wrapping_mul(pair[1].0 as isize));
        if !run {
            return None;
        }
        let mut step = old[from - 1].1;
        for axis in (begin..to).rev() {
            strides[axis] = step;
            step = step.wrapping_mul(sizes[axis] as isize);
        }
    }
    Some(strides)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reshape_is_a_view_where_strides_allow() {
        let array = Array::from_elements(&[4, 6], &[0u8; 24]);
        assert_eq!(reshaped(&array, &[2, 2, 1, 6]), Some(smallvec![12, 6, 0, 1]));
        assert_eq!(reshaped(&array, &[24]), Some(smallvec![1]));
        let turned = array.view(vec![6, 4], vec![1, 6], 0);
        assert_eq!(reshaped(&turned, &[24]), None);
        assert_eq!(reshaped(&turned, &[2, 3, 4]), Some(smallvec![3, 1, 6]));
        assert_eq!(reshaped(&turned, &[6, 1, 2, 2]), Some(smallvec![1, 0, 12, 6]));
    }
}
