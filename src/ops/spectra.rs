//! Fourier transforms: from lines to their spectra and back.
//!
//! A row says which transform goes along the last of the axes, and which along the others; the checker brings each axis
//! to the length that is asked for and scales the result. The transforms themselves are [`crate::ir::library`].

use super::{Form, Op, Param, Role, operand, row, way, written};
use crate::promotion::Class;

/// What is done along axes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Spectrum {
    /// The spectrum of complex lines.
    Forward,
    /// Lines of a spectrum.
    Inverse,
    /// The half of the spectrum of real lines that is not the mirror of the other.
    Real,
    /// Real lines of half a spectrum.
    InverseReal,
    /// The real spectrum of half a line whose other half is its mirror.
    Hermitian,
    /// Half a line of a real spectrum.
    InverseHermitian,
    /// The frequency 0 to the middle.
    Shift,
    /// Back from there.
    InverseShift,
}

impl Spectrum {
    /// Whether it is divided by the length unless something else is asked for.
    pub fn is_inverse(self) -> bool {
        matches!(self, Spectrum::Inverse | Spectrum::InverseReal | Spectrum::InverseHermitian)
    }

    /// Whether real lines come out of half a spectrum.
    pub fn gives_real(self) -> bool {
        matches!(self, Spectrum::InverseReal | Spectrum::Hermitian)
    }
}

/// What `norm=` may be.
pub const NORMS: &[&str] = &["backward", "ortho", "forward"];

const X: Param = operand("x");
const NORM: Param = Param { name: "norm", role: Role::Text, default: Some("\"backward\"") };
const LINE: &[Param] = &[
    X,
    Param { name: "n", role: Role::Size, default: Some("None") },
    Param { name: "axis", role: Role::Axis, default: Some("-1") },
    NORM,
];
const LENGTHS: Param = Param { name: "s", role: Role::Shape, default: Some("None") };
const PLANE: &[Param] = &[X, LENGTHS, Param { name: "axes", role: Role::Axes, default: Some("(-2, -1)") }, NORM];
const SPACE: &[Param] = &[X, LENGTHS, Param { name: "axes", role: Role::Axes, default: Some("None") }, NORM];
const SHIFT: &[Param] = &[X, Param { name: "axes", role: Role::Axes, default: Some("None") }];
const FREQUENCIES: &[Param] = &[
    Param { name: "n", role: Role::Size, default: None },
    Param { name: "d", role: Role::Operand, default: Some("1.0") },
];

const fn transform(name: &'static str, params: &'static [Param], spectrum: Spectrum) -> Op {
    let class = match spectrum {
        Spectrum::Forward | Spectrum::Inverse => Class::Spectrum,
        Spectrum::Real | Spectrum::InverseHermitian => Class::RealSpectrum,
        Spectrum::InverseReal | Spectrum::Hermitian => Class::InverseRealSpectrum,
        Spectrum::Shift | Spectrum::InverseShift => Class::Selection,
    };
    row(name, params, class, Form::Spectrum(spectrum))
}

/// The rows.
pub(super) static ROWS: &[Op] = &[
    Op {
        summary: "discrete Fourier transform along `axis`",
        special: "Element k is sum(x[j] * exp(-2j*pi*j*k/n)). `n` cuts the axis or lengthens it with zeros. `norm` says what \
                  is divided by n: \"backward\" the inverse, \"forward\" this one, \"ortho\" both by sqrt(n). The last bits \
                  may differ between processors",
        examples: &[
            ("fft.fft([1.0, 2.0, 3.0, 4.0])", "[(10+0j), (-2+2j), (-2+0j), (-2-2j)]"),
            ("fft.fft([1.0, 2.0], n=4, norm=\"forward\")", "[(0.75+0j), (0.25-0.5j), (-0.25+0j), (0.25+0.5j)]"),
        ],
        ..transform("fft.fft", LINE, Spectrum::Forward)
    },
    Op {
        summary: "inverse of the discrete Fourier transform along `axis`",
        special: "It is divided by n, unless `norm` says otherwise",
        examples: &[("fft.ifft([10.0, -2+2j, -2.0, -2-2j])", "[(1+0j), (2+0j), (3+0j), (4+0j)]")],
        ..transform("fft.ifft", LINE, Spectrum::Inverse)
    },
    Op {
        summary: "the first n//2 + 1 elements of the transform of real lines",
        special: "The others are their mirror: element n-k is conj of element k",
        examples: &[("fft.rfft([1.0, 2.0, 3.0, 4.0])", "[(10+0j), (-2+2j), (-2+0j)]")],
        ..transform("fft.rfft", LINE, Spectrum::Real)
    },
    Op {
        summary: "real lines of length `n` of the first n//2 + 1 elements of their transform",
        special: "Without `n` it is 2*(m - 1) for m elements. The imaginary part of what is its own mirror counts as 0",
        examples: &[
            ("fft.irfft([10.0, -2+2j, -2.0])", "[1.0, 2.0, 3.0, 4.0]"),
            ("fft.irfft([3.0, 0.0], n=3)", "[1.0, 1.0, 1.0]"),
        ],
        ..transform("fft.irfft", LINE, Spectrum::InverseReal)
    },
    Op {
        summary: "the real spectrum, of length `n`, of a line that is half of one with conj as its mirror",
        special: "As irfft(conj(x), n), divided by nothing unless `norm` says so",
        examples: &[("fft.hfft([1.0, 2.0, 3.0])", "[8.0, -2.0, 0.0, -2.0]")],
        ..transform("fft.hfft", LINE, Spectrum::Hermitian)
    },
    Op {
        summary: "half of the line that has a real spectrum",
        special: "As conj(rfft(x, n)) / n",
        examples: &[("abs(fft.ihfft([8.0, -2.0, 0.0, -2.0]))", "[1.0, 2.0, 3.0]")],
        ..transform("fft.ihfft", LINE, Spectrum::InverseHermitian)
    },
    Op {
        summary: "discrete Fourier transform along two axes",
        special: "`s` says their lengths",
        examples: &[("fft.fft2([[1.0, 2.0], [3.0, 4.0]])", "[[(10+0j), (-2+0j)], [(-4+0j), 0j]]")],
        ..transform("fft.fft2", PLANE, Spectrum::Forward)
    },
    Op {
        summary: "inverse of the discrete Fourier transform along two axes",
        special: "",
        examples: &[("fft.ifft2([[10.0, -2.0], [-4.0, 0.0]])", "[[(1+0j), (2+0j)], [(3+0j), (4+0j)]]")],
        ..transform("fft.ifft2", PLANE, Spectrum::Inverse)
    },
    Op {
        summary: "discrete Fourier transform of real numbers along two axes, half of the last one",
        special: "",
        examples: &[("fft.rfft2([[1.0, 2.0], [3.0, 4.0]])", "[[(10+0j), (-2+0j)], [(-4+0j), 0j]]")],
        ..transform("fft.rfft2", PLANE, Spectrum::Real)
    },
    Op {
        summary: "real numbers of half a transform along two axes",
        special: "",
        examples: &[("fft.irfft2([[10.0, -2.0], [-4.0, 0.0]])", "[[1.0, 2.0], [3.0, 4.0]]")],
        ..transform("fft.irfft2", PLANE, Spectrum::InverseReal)
    },
    Op {
        summary: "discrete Fourier transform along all axes, or along `axes`",
        special: "With `s` and without `axes` it goes along as many of the last axes as `s` has lengths",
        examples: &[("fft.fftn([[1.0, 2.0], [3.0, 4.0]])", "[[(10+0j), (-2+0j)], [(-4+0j), 0j]]")],
        ..transform("fft.fftn", SPACE, Spectrum::Forward)
    },
    Op {
        summary: "inverse of the discrete Fourier transform along all axes, or along `axes`",
        special: "",
        examples: &[("fft.ifftn([[10.0, -2.0], [-4.0, 0.0]])", "[[(1+0j), (2+0j)], [(3+0j), (4+0j)]]")],
        ..transform("fft.ifftn", SPACE, Spectrum::Inverse)
    },
    Op {
        summary: "discrete Fourier transform of real numbers along all axes, or along `axes`, half of the last one",
        special: "",
        examples: &[("fft.rfftn([[1.0, 2.0], [3.0, 4.0]])", "[[(10+0j), (-2+0j)], [(-4+0j), 0j]]")],
        ..transform("fft.rfftn", SPACE, Spectrum::Real)
    },
    Op {
        summary: "real numbers of half a transform along all axes, or along `axes`",
        special: "",
        examples: &[("fft.irfftn([[10.0, -2.0], [-4.0, 0.0]])", "[[1.0, 2.0], [3.0, 4.0]]")],
        ..transform("fft.irfftn", SPACE, Spectrum::InverseReal)
    },
    Op {
        summary: "the frequencies of the elements of a transform of length n, for samples `d` apart",
        special: "First those from 0 on, then the negative ones",
        examples: &[
            ("fft.fftfreq(4)", "[0.0, 0.25, -0.5, -0.25]"),
            ("fft.fftfreq(4, d=0.5)", "[0.0, 0.5, -1.0, -0.5]"),
        ],
        ..written("fft.fftfreq", FREQUENCIES, &[way("n, d?", "((arange(n) + n//2) % n - n//2) * (1 / (n*d))")])
    },
    Op {
        summary: "the frequencies of the elements of `fft.rfft` of a line of length n, for samples `d` apart",
        special: "",
        examples: &[("fft.rfftfreq(4)", "[0.0, 0.25, 0.5]")],
        ..written("fft.rfftfreq", FREQUENCIES, &[way("n, d?", "arange(n//2 + 1) * (1 / (n*d))")])
    },
    Op {
        summary: "x with the frequency 0 in the middle of all axes, or of `axes`",
        special: "Each axis is rolled by half its length",
        examples: &[("fft.fftshift([0, 1, 2, -2, -1])", "[-2, -1, 0, 1, 2]")],
        ..transform("fft.fftshift", SHIFT, Spectrum::Shift)
    },
    Op {
        summary: "x with the frequency 0 first again: the inverse of `fft.fftshift`",
        special: "",
        examples: &[("fft.ifftshift([-2, -1, 0, 1, 2])", "[0, 1, 2, -2, -1]")],
        ..transform("fft.ifftshift", SHIFT, Spectrum::InverseShift)
    },
];
