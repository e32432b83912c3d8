//! Calls of libraries. Their panics become errors, and an impatient user is heard.
//!
//! A library is given a copy of its operands and gives memory of its own back, so that the same elements meet the same
//! code wherever they lay. So the reference evaluator and a run agree bit for bit on one machine. What a library cannot
//! be asked to stop runs on a thread of its own when it takes long, and a stop leaves that thread behind.

use super::{LineTask, one_line, reserved};
use crate::array::Array;
use crate::exec::options::{RunError, Watch};
use crate::ir::library::Library;
use crate::locks::lock;
use crate::panics::catch_failure;
use crate::scalar::Scalar;
use crate::types::DType;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// Lines of more bytes may take longer than somebody wants to wait.
const MAX_LINE_BYTES: usize = 1 << 22;

/// So may matrices, whose work grows faster than they do.
const MAX_MATRIX_BYTES: usize = 1 << 17;

/// How often somebody who waits looks whether to go on.
const POLL_INTERVAL: Duration = Duration::from_millis(10);

/// The operands of a call: the elements of one line or matrix each, one after the other.
pub(super) struct Call {
    pub(super) function: Library,
    /// The dtype of the first operand.
    pub(super) dtype: DType,
    pub(super) args: Vec<Vec<u8>>,
    /// How many bytes the result has.
    pub(super) bytes: usize,
}

/// The line or matrix of a result, of those of scalars.
pub(super) fn meaning(
    function: Library,
    dtype: DType,
    args: &[Vec<Scalar>],
    axes: &[&[usize]],
    len: usize,
) -> Vec<Scalar> {
    let of = args.first().and_then(|line| line.first()).map_or(dtype, |scalar| scalar.dtype);
    let bytes = |line: &Vec<Scalar>| {
        line.iter().flat_map(|scalar| scalar.bits.to_le_bytes().into_iter().take(scalar.dtype.size())).collect()
    };
    let call = Call { function, dtype: of, args: args.iter().map(bytes).collect(), bytes: len * dtype.size() };
    let made = call.made(axes).unwrap_or_default();
    let element = |chunk: &[u8]| {
        let mut bits = [0; 16];
        bits[..chunk.len()].copy_from_slice(chunk);
        Scalar { dtype, bits: u128::from_le_bytes(bits) }
    };
    let mut scalars: Vec<Scalar> = made.chunks_exact(dtype.size()).map(element).collect();
    scalars.resize(len, Scalar::zero(dtype));
    scalars
}

/// The bytes that a call takes besides its operands and its result: copies of both, and what the library needs.
pub(super) fn scratch(len: usize, size: usize) -> usize {
    len.saturating_mul(12 * size)
}

/// The bytes that a call takes for one matrix of each operand: copies, factors, and what is computed beside them.
pub(super) fn scratch_of_matrices(args: &[Array], own: &[usize]) -> usize {
    let bytes =
        |shape: &[usize], size: usize| shape[shape.len() - 2..].iter().fold(size, |all, &len| all.saturating_mul(len));
    let operands = args.iter().map(|array| bytes(array.shape(), array.dtype().size()));
    operands.fold(bytes(own, 16), usize::saturating_add).saturating_mul(6)
}

/// A call for one matrix of each operand.
pub(super) fn matrices(
    function: Library,
    args: &[Array],
    index: usize,
    (out, own): (&mut [u8], &[usize]),
    watch: Watch,
) -> Result<(), RunError> {
    let scratch = scratch_of_matrices(args, own);
    if scratch > MAX_LINE_BYTES {
        // What the library asks for cannot be refused, so it is tried first.
        drop(reserved::<u8>(scratch, watch)?);
    }
    let copies = args.iter().map(|array| one_matrix(array, index, watch)).collect::<Result<Vec<_>, _>>()?;
    let axes: Vec<&[usize]> = args.iter().map(|array| &array.shape()[array.shape().len() - 2..]).collect();
    let largest = copies.iter().map(Vec::len).max().unwrap_or(0).max(out.len());
    let call = Call { function, dtype: args[0].dtype(), args: copies, bytes: out.len() };
    call.run(&axes, largest > MAX_MATRIX_BYTES, out, watch)
}

/// The bytes of the matrix with this number, row by row.
fn one_matrix(array: &Array, index: usize, watch: Watch) -> Result<Vec<u8>, RunError> {
    let [.., rows, columns] = *array.shape() else { unreachable!("matrices have two axes") };
    let mut bytes = reserved(rows * columns * array.dtype().size(), watch)?;
    for row in 0..rows {
        bytes.extend_from_slice(&one_line(array, index * rows + row, watch)?);
    }
    Ok(bytes)
}

/// A call for one line.
pub(super) fn line(line: LineTask, function: Library) -> Result<(), RunError> {
    let size = line.dtype.size();
    let own: Vec<Vec<usize>> = line.args.iter().map(|arg| vec![arg.len() / size]).collect();
    let own: Vec<&[usize]> = own.iter().map(Vec::as_slice).collect();
    let bytes = line.out.len();
    let longest = line.args.iter().map(|arg| arg.len()).max().unwrap_or(0).max(bytes);
    // What the library asks for cannot be refused, so it is tried first.
    drop(reserved::<u8>(scratch(longest / size, size), line.watch)?);
    let args = line.args.iter().map(|arg| arg.to_vec()).collect();
    let call = Call { function, dtype: line.dtype, args, bytes };
    call.run(&own, longest > MAX_LINE_BYTES, line.out, line.watch)
}

impl Call {
    /// The bytes of the result.
    fn made(self, axes: &[&[usize]]) -> Result<Vec<u8>, String> {
        if !self.function.row().feature.is_built() {
            // A check of the program says so before anybody sees it.
            return Ok(vec![0; self.bytes]);
        }
        catch_failure("a library", || computed(&self, axes))
    }

    /// Computes the result into its place.
    pub(super) fn run(self, axes: &[&[usize]], long: bool, out: &mut [u8], watch: Watch) -> Result<(), RunError> {
        let made = if long {
            let own: Vec<Vec<usize>> = axes.iter().map(|own| own.to_vec()).collect();
            apart(watch, move || self.made(&own.iter().map(Vec::as_slice).collect::<Vec<_>>()))?
        } else {
            self.made(axes)
        };
        out.copy_from_slice(&made.map_err(RunError::Internal)?);
        Ok(())
    }
}

fn computed(call: &Call, axes: &[&[usize]]) -> Result<Vec<u8>, String> {
    let Call { function, dtype, args, bytes } = call;
    #[cfg(not(all(feature = "fft", feature = "linalg")))]
    let nothing = |_: (DType, &[Vec<u8>], &[&[usize]])| -> Result<Vec<u8>, String> { Ok(vec![0; *bytes]) };
    match function {
        #[cfg(feature = "linalg")]
        Library::Matrices(factor) => super::linear::decompose(*factor, *dtype, args, axes, *bytes),
        #[cfg(not(feature = "linalg"))]
        Library::Matrices(_) => nothing((*dtype, args, axes)),
        #[cfg(feature = "fft")]
        spectrum => Ok(super::spectrum::transform(*spectrum, *dtype, &args[0], *bytes)),
        #[cfg(not(feature = "fft"))]
        _ => nothing((*dtype, args, axes)),
    }
}

/// Does work that nobody can stop, on a thread of its own, which a stop leaves behind.
fn apart<T: Send + 'static>(watch: Watch, work: impl FnOnce() -> T + Send + 'static) -> Result<T, RunError> {
    let (sender, receiver) = channel();
    let held = Arc::new(Mutex::new(Some(work)));
    let job = Arc::clone(&held);
    let take = |held: &Mutex<Option<_>>| lock(held).take();
    let started = std::thread::Builder::new().name("arr library".to_owned()).spawn(move || {
        if let Some(work) = take(&job) {
            // Nobody may be left to hear it.
            let _ = sender.send(work());
        }
    });
    if started.is_err()
        && let Some(work) = take(&held)
    {
        return Ok(work());
    }
    loop {
        match receiver.recv_timeout(POLL_INTERVAL) {
            Ok(made) => return Ok(made),
            Err(RecvTimeoutError::Timeout) => watch.poll()?,
            Err(RecvTimeoutError::Disconnected) => return Err(RunError::Internal("a library ended".to_owned())),
        }
    }
}
