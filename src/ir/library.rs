//! Functions of libraries: what goes in and what comes out.
//!
//! Fourier transforms take lines: complex ones, or real ones of whose spectrum half is enough. Functions of matrices
//! give all that they find in one matrix, of which the rows of `ops::linear` cut their results.
//!
//! To add one, add a variant, its row, and its code in `exec::routine`.

use crate::types::{DType, Dim, Shape};

/// A function of a library.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Library {
    /// The discrete Fourier transform of complex lines.
    Fourier,
    /// The inverse discrete Fourier transform of complex lines, not divided by the length.
    InverseFourier,
    /// Of real lines the half that is not the mirror of the other.
    RealFourier,
    /// Back from that half, not divided by the length.
    InverseRealFourier,
    /// What is found in matrices.
    Matrices(Factor),
}

/// What is found in matrices, as one matrix.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Factor {
    /// Of a square matrix and right-hand sides: the solutions, and below them a row that is 1 if the matrix is
    /// singular.
    Solve,
    /// The inverse, and below it a row that is 1 if the matrix is singular.
    Inverse,
    /// One row: the determinant, its sign, the logarithm of its magnitude.
    Determinant,
    /// Of any matrix: which row went where, as a square matrix of zeros and ones; right of it the lower triangle, as
    /// wide as it is high; right of that the upper one, as high as the matrix is. What is no part of them is 0.
    Lu,
    /// The exponential.
    Exponential,
    /// The lower factor of what the lower triangle says, and below it a row that is 1 if there is none.
    Cholesky,
    /// Columns that are orthogonal, as many as the node says, and right of them the triangle, which is zero below its
    /// rows.
    Qr,
    /// The left singular vectors, below them a row of the singular values, below it the right singular vectors, each in
    /// as many columns as the smaller side has.
    ThinSvd,
    /// As [`Factor::ThinSvd`], with all singular vectors; what has no column in a part is 0.
    FullSvd,
    /// One row of singular values.
    SingularValues,
    /// Of what the lower triangle says: a row of eigenvalues, and below it the eigenvectors as columns.
    HermitianEigen,
    /// One row of eigenvalues.
    HermitianEigenvalues,
    /// Of any square matrix: a row of eigenvalues, and below it the eigenvectors as columns. They are complex numbers.
    Eigen,
    /// One row of eigenvalues of any square matrix.
    Eigenvalues,
}

/// Which feature of this package brings the library.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Feature {
    /// `fft`
    Spectra,
    /// `linalg`
    Linear,
}

impl Feature {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Feature::Spectra => "fft",
            Feature::Linear => "linalg",
        }
    }

    /// Whether this build has it.
    pub fn is_built(self) -> bool {
        match self {
            Feature::Spectra => cfg!(feature = "fft"),
            Feature::Linear => cfg!(feature = "linalg"),
        }
    }
}

/// What a function takes and gives.
#[derive(Clone, Copy, Debug)]
pub struct LibraryRow {
    /// The name in printed programs.
    pub name: &'static str,
    /// Where it comes from.
    pub feature: Feature,
    /// The dtype of the result for these of the operands, as many as it takes.
    pub dtype: fn(&[DType]) -> Option<DType>,
    /// How many axes are its own.
    pub axes: usize,
}

const fn spectrum(name: &'static str, dtype: fn(&[DType]) -> Option<DType>) -> LibraryRow {
    LibraryRow { name, feature: Feature::Spectra, dtype, axes: 1 }
}

const fn of_matrices(name: &'static str, dtype: fn(&[DType]) -> Option<DType>) -> LibraryRow {
    LibraryRow { name, feature: Feature::Linear, dtype, axes: 2 }
}

/// Whether the libraries compute in a dtype.
fn is_computed(dtype: DType) -> bool {
    matches!(dtype, DType::F32 | DType::F64 | DType::C64 | DType::C128)
}

fn complex(dtypes: &[DType]) -> Option<DType> {
    if let [only] = dtypes { (is_computed(*only) && only.is_complex()).then_some(*only) } else { None }
}

fn real_to_complex(dtypes: &[DType]) -> Option<DType> {
    if let [only] = dtypes { (is_computed(*only) && !only.is_complex()).then_some(only.complex()) } else { None }
}

fn complex_to_real(dtypes: &[DType]) -> Option<DType> {
    complex(dtypes).map(DType::part)
}

fn kept(dtypes: &[DType]) -> Option<DType> {
    if let [only] = dtypes { is_computed(*only).then_some(*only) } else { None }
}

fn system(dtypes: &[DType]) -> Option<DType> {
    if let [matrix, right] = dtypes { kept(&[*matrix]).filter(|_| matrix == right) } else { None }
}

fn to_real(dtypes: &[DType]) -> Option<DType> {
    kept(dtypes).map(DType::part)
}

fn to_complex(dtypes: &[DType]) -> Option<DType> {
    kept(dtypes).map(DType::complex)
}

/// One row more.
fn below(rows: &Dim) -> Option<Dim> {
    rows.add_scaled(&Dim::Const(1), 1)
}

impl Library {
    /// Its row.
    pub fn row(self) -> LibraryRow {
        match self {
            Library::Fourier => spectrum("fourier", complex),
            Library::InverseFourier => spectrum("inverse_fourier", complex),
            Library::RealFourier => spectrum("real_fourier", real_to_complex),
            Library::InverseRealFourier => spectrum("inverse_real_fourier", complex_to_real),
            Library::Matrices(factor) => factor.row(),
        }
    }

    /// The own axes of the result for those of the operands, unless the node says them.
    pub fn lengths(self, operands: &[&[Dim]]) -> Option<Shape> {
        match self {
            Library::Fourier | Library::InverseFourier => operands.first().map(|own| own.to_vec()),
            Library::RealFourier => {
                let half =
                    operands.first()?.first()?.form()?.floor_divide(&crate::types::affine::Affine::constant(2))?;
                Some(vec![Dim::of(half)?.add_scaled(&Dim::Const(1), 1)?])
            }
            // Half a spectrum is that of two lengths.
            Library::InverseRealFourier => None,
            Library::Matrices(factor) => factor.lengths(operands),
        }
    }

    /// The own axes of the result where the operands do not say them, but the node says a length.
    pub fn given(self, operands: &[&[Dim]], len: Dim) -> Option<Shape> {
        match self {
            Library::Matrices(factor) => factor.given(operands, len),
            Library::Fourier | Library::InverseFourier | Library::RealFourier | Library::InverseRealFourier => {
                Some(vec![len])
            }
        }
    }
}

impl Factor {
    fn row(self) -> LibraryRow {
        match self {
            Factor::Solve => of_matrices("solve", system),
            Factor::Inverse => of_matrices("inverse", kept),
            Factor::Determinant => of_matrices("determinant", kept),
            Factor::Lu => of_matrices("lu", kept),
            Factor::Exponential => of_matrices("exponential", kept),
            Factor::Cholesky => of_matrices("cholesky", kept),
            Factor::Qr => of_matrices("qr", kept),
            Factor::ThinSvd => of_matrices("thin_svd", kept),
            Factor::FullSvd => of_matrices("full_svd", kept),
            Factor::SingularValues => of_matrices("singular_values", to_real),
            Factor::HermitianEigen => of_matrices("hermitian_eigen", kept),
            Factor::HermitianEigenvalues => of_matrices("hermitian_eigenvalues", to_real),
            Factor::Eigen => of_matrices("eigen", to_complex),
            Factor::Eigenvalues => of_matrices("eigenvalues", to_complex),
        }
    }

    fn lengths(self, operands: &[&[Dim]]) -> Option<Shape> {
        match self {
            // The smaller side of a matrix may not be known.
            Factor::Qr | Factor::ThinSvd | Factor::FullSvd | Factor::SingularValues => None,
            Factor::Determinant => Some(vec![Dim::Const(1), Dim::Const(3)]),
            Factor::Lu => {
                let (rows, columns) = (operands.first()?.first()?, operands.first()?.last()?);
                Some(vec![rows.clone(), rows.add_scaled(rows, 1)?.add_scaled(columns, 1)?])
            }
            Factor::Exponential => Some(operands.first()?.to_vec()),
            Factor::HermitianEigenvalues | Factor::Eigenvalues => {
                Some(vec![Dim::Const(1), operands.first()?.last()?.clone()])
            }
            Factor::Solve | Factor::Inverse | Factor::Cholesky | Factor::HermitianEigen | Factor::Eigen => {
                let last = operands.last()?;
                Some(vec![below(last.first()?)?, last.last()?.clone()])
            }
        }
    }

    fn given(self, operands: &[&[Dim]], len: Dim) -> Option<Shape> {
        let (rows, columns) = operands.first().and_then(|own| Some((own.first()?, own.last()?)))?;
        match self {
            Factor::Qr => Some(vec![rows.clone(), len.add_scaled(columns, 1)?]),
            Factor::ThinSvd | Factor::FullSvd => Some(vec![below(&rows.add_scaled(columns, 1)?)?, len]),
            Factor::SingularValues => Some(vec![Dim::Const(1), len]),
            Factor::Solve
            | Factor::Inverse
            | Factor::Determinant
            | Factor::Lu
            | Factor::Exponential
            | Factor::Cholesky
            | Factor::HermitianEigen
            | Factor::HermitianEigenvalues
            | Factor::Eigen
            | Factor::Eigenvalues => self.lengths(operands),
        }
    }
}
