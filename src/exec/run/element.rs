//! Kernels of one element: computed as the reference does, in less time than it takes to begin a loop.
#![expect(unsafe_code, reason = "an element is read from an address, and written to one")]

use super::bound::BoundLoops;
use super::gather::Positions;
use crate::exec::options::{RunError, Watch};
use crate::exec::plan::Use;
use crate::kernel::InstOp;
use crate::scalar::Scalar;
use crate::scalar::eval::eval;
use crate::types::DType;
use smallvec::SmallVec;

impl BoundLoops<'_> {
    /// Computes the element and stores the results, or what lies at the position that it says.
    pub(super) fn compute_element(&self, watch: Watch) -> Result<(), RunError> {
        let mut values: SmallVec<[Scalar; 8]> = SmallVec::new();
        for inst in &self.body.insts {
            let dtype = inst.dtype;
            values.push(match inst.op {
                InstOp::Const(bits) => Scalar { dtype, bits },
                InstOp::Iota(source) => Scalar::of(self.addresses[source as usize] as i64),
                // SAFETY: the source's element lies there.
                InstOp::Load(source) => unsafe { read(self.addresses[source as usize] as *const u8, dtype) },
                InstOp::Prim(prim, args) => {
                    let args: SmallVec<[Scalar; 3]> = args.iter().flatten().map(|arg| values[arg.0 as usize]).collect();
                    eval(prim, dtype, &args)
                }
            });
        }
        for (&(value, what), &to) in self.outputs.iter().zip(&self.addresses[self.inputs()..]) {
            let Scalar { dtype, bits } = values[value.0 as usize];
            if let Use::Gather { reader, .. } = what {
                let position = bits as i64;
                let (positions, table) =
                    (Positions { first: &raw const position, count: 1, end: 0 }, self.tables[reader]);
                // SAFETY: the array lies there, and there is room for what is read of it at one position.
                unsafe { self.nest.readers[reader].read(table, positions, (to, 0), &mut 0, watch)? };
                continue;
            }
            let element = &bits.to_le_bytes()[..dtype.size()];
            // SAFETY: there is room for the element.
            unsafe { std::ptr::copy_nonoverlapping(element.as_ptr(), to as *mut u8, element.len()) };
        }
        Ok(())
    }
}

/// The element at an address. A truth value from outside may be any byte; it is true when it is not 0.
///
/// # Safety
/// An element of the dtype can be read from the address.
unsafe fn read(from: *const u8, dtype: DType) -> Scalar {
    let mut word = [0; 16];
    // SAFETY: the caller promises an element of the dtype; none is longer than the word.
    unsafe { std::ptr::copy_nonoverlapping(from, word.as_mut_ptr(), dtype.size()) };
    let bits = u128::from_le_bytes(word);
    Scalar { dtype, bits: if dtype == DType::Bool { u128::from(bits != 0) } else { bits } }
}
