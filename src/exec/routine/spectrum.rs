//! Fourier transforms, by the crates `rustfft` or `realfft`.
//!
//! The libraries plan a transform of a length once; plans are kept for the next line of that length, and thrown away
//! together when they take too much memory.

use crate::ir::library::Library;
use crate::locks::lock;
use crate::types::DType;
use crate::types::dtype::Element;
use realfft::RealFftPlanner;
use rustfft::num_complex::Complex;
use rustfft::{FftDirection, FftNum, FftPlanner};
use std::sync::Mutex;

/// How many elements the lengths that plans are kept for may have together.
const MAX_KEPT_ELEMENTS: usize = 1 << 22;

/// Plans of one precision.
struct Plans<T: FftNum> {
    complex: FftPlanner<T>,
    real: RealFftPlanner<T>,
    lengths: Vec<usize>,
}

impl<T: FftNum> Plans<T> {
    fn new() -> Plans<T> {
        Plans { complex: FftPlanner::new(), real: RealFftPlanner::new(), lengths: Vec::new() }
    }

    /// Makes room for plans of another length.
    fn ready(&mut self, len: usize) {
        if self.lengths.contains(&len) {
            return;
        }
        if self.lengths.iter().sum::<usize>() + len > MAX_KEPT_ELEMENTS {
            *self = Plans::new();
        }
        self.lengths.push(len);
    }
}

/// A float that lines are made of.
trait SpectrumElement: FftNum + Element {
    const SIZE: usize = size_of::<Self>();

    /// The plans of this precision.
    fn plans() -> &'static Mutex<Option<Plans<Self>>>;

    fn read(bytes: &[u8]) -> Self {
        let mut word = [0; 16];
        word[..Self::SIZE].copy_from_slice(bytes);
        Self::from_bits(u128::from_le_bytes(word))
    }

    fn write(self, bytes: &mut Vec<u8>) {
        bytes.extend_from_slice(&self.to_bits().to_le_bytes()[..Self::SIZE]);
    }

    /// Does something with the plans; those that a panic left behind are not used again.
    fn plan<R>(work: impl FnOnce(&mut Plans<Self>) -> R) -> R {
        let mut held = lock(Self::plans());
        let mut plans = held.take().unwrap_or_else(Plans::new);
        let made = work(&mut plans);
        *held = Some(plans);
        made
    }
}

impl SpectrumElement for f32 {
    fn plans() -> &'static Mutex<Option<Plans<f32>>> {
        static PLANS: Mutex<Option<Plans<f32>>> = Mutex::new(None);
        &PLANS
    }
}

impl SpectrumElement for f64 {
    fn plans() -> &'static Mutex<Option<Plans<f64>>> {
        static PLANS: Mutex<Option<Plans<f64>>> = Mutex::new(None);
        &PLANS
    }
}

/// The transform of a line with these bytes. The result has `bytes` bytes.
pub(super) fn transform(function: Library, dtype: DType, line: &[u8], bytes: usize) -> Vec<u8> {
    if dtype.part() == DType::F32 { of::<f32>(function, line, bytes) } else { of::<f64>(function, line, bytes) }
}

fn of<T: SpectrumElement>(function: Library, line: &[u8], wanted: usize) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(wanted);
    if line.is_empty() || wanted == 0 {
        bytes.resize(wanted, 0);
        return bytes;
    }
    match function {
        Library::Fourier | Library::InverseFourier => {
            let direction = match function {
                Library::Fourier => FftDirection::Forward,
                Library::InverseFourier | Library::RealFourier | Library::InverseRealFourier | Library::Matrices(_) => {
                    FftDirection::Inverse
                }
            };
            let mut line = complex::<T>(line);
            let plan = T::plan(|plans| {
                plans.ready(line.len());
                plans.complex.plan_fft(line.len(), direction)
            });
            plan.process(&mut line);
            line.into_iter().for_each(|z| write(z, &mut bytes));
        }
        Library::RealFourier => {
            let mut line: Vec<T> = line.chunks_exact(T::SIZE).map(T::read).collect();
            let plan = T::plan(|plans| {
                plans.ready(line.len());
                plans.real.plan_fft_forward(line.len())
            });
            let mut made = plan.make_output_vec();
            plan.process(&mut line, &mut made).expect("the lengths are those of the plan");
            made.into_iter().for_each(|z| write(z, &mut bytes));
        }
        Library::InverseRealFourier => {
            let mut line = complex::<T>(line);
            let len = wanted / T::SIZE;
            let plan = T::plan(|plans| {
                plans.ready(len);
                plans.real.plan_fft_inverse(len)
            });
            // What is its own mirror is real.
            line[0].im = T::zero();
            if len.is_multiple_of(2) {
                line[len / 2].im = T::zero();
            }
            let mut made = plan.make_output_vec();
            plan.process(&mut line, &mut made).expect("the lengths are those of the plan");
            made.into_iter().for_each(|x| x.write(&mut bytes));
        }
        Library::Matrices(_) => unreachable!("these have no lines"),
    }
    bytes
}

fn complex<T: SpectrumElement>(line: &[u8]) -> Vec<Complex<T>> {
    let parts = |pair: &[u8]| Complex { re: T::read(&pair[..T::SIZE]), im: T::read(&pair[T::SIZE..]) };
    line.chunks_exact(2 * T::SIZE).map(parts).collect()
}

fn write<T: SpectrumElement>(z: Complex<T>, bytes: &mut Vec<u8>) {
    z.re.write(bytes);
    z.im.write(bytes);
}
