//! Functions of libraries: what goes in, what comes out.
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
    /// The discrete Fourier transform of real lines: the half of the spectrum that is not the mirror of the other.
    RealFourier,
    /// The inverse of [`Library::RealFourier`], not divided by the length.
    InverseRealFourier,
    /// A function of matrices.
    Matrices(MatrixFunction),
}

/// A function of matrices, which gives all that it finds in one matrix.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MatrixFunction {
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
    /// As [`MatrixFunction::ThinSvd`], with all singular vectors; what has no column in a part is 0.
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

/// The dtype of a single operand, if the libraries compute in it.
fn single(dtypes: &[DType]) -> Option<DType> {
    let [only] = dtypes else { return None };
    is_computed(*only).then_some(*only)
}

fn complex(dtypes: &[DType]) -> Option<DType> {
    single(dtypes).filter(|dtype| dtype.is_complex())
}

fn real_to_complex(dtypes: &[DType]) -> Option<DType> {
    single(dtypes).filter(|dtype| !dtype.is_complex()).map(DType::complex)
}

fn complex_to_real(dtypes: &[DType]) -> Option<DType> {
    complex(dtypes).map(DType::part)
}

fn system(dtypes: &[DType]) -> Option<DType> {
    let [matrix, right] = dtypes else { return None };
    single(&[*matrix]).filter(|_| matrix == right)
}

fn to_real(dtypes: &[DType]) -> Option<DType> {
    single(dtypes).map(DType::part)
}

fn to_complex(dtypes: &[DType]) -> Option<DType> {
    single(dtypes).map(DType::complex)
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

impl MatrixFunction {
    fn row(self) -> LibraryRow {
        match self {
            MatrixFunction::Solve => of_matrices("solve", system),
            MatrixFunction::Inverse => of_matrices("inverse", single),
            MatrixFunction::Determinant => of_matrices("determinant", single),
            MatrixFunction::Lu => of_matrices("lu", single),
            MatrixFunction::Exponential => of_matrices("exponential", single),
            MatrixFunction::Cholesky => of_matrices("cholesky", single),
            MatrixFunction::Qr => of_matrices("qr", single),
            MatrixFunction::ThinSvd => of_matrices("thin_svd", single),
            MatrixFunction::FullSvd => of_matrices("full_svd", single),
            MatrixFunction::SingularValues => of_matrices("singular_values", to_real),
            MatrixFunction::HermitianEigen => of_matrices("hermitian_eigen", single),
            MatrixFunction::HermitianEigenvalues => of_matrices("hermitian_eigenvalues", to_real),
            MatrixFunction::Eigen => of_matrices("eigen", to_complex),
            MatrixFunction::Eigenvalues => of_matrices("eigenvalues", to_complex),
        }
    }

    fn lengths(self, operands: &[&[Dim]]) -> Option<Shape> {
        match self {
            // The smaller side of a matrix may not be known.
            MatrixFunction::Qr | MatrixFunction::ThinSvd | MatrixFunction::FullSvd | MatrixFunction::SingularValues => {
                None
            }
            MatrixFunction::Determinant => Some(vec![Dim::Const(1), Dim::Const(3)]),
            MatrixFunction::Lu => {
                let (rows, columns) = (operands.first()?.first()?, operands.first()?.last()?);
                Some(vec![rows.clone(), rows.add_scaled(rows, 1)?.add_scaled(columns, 1)?])
            }
            MatrixFunction::Exponential => Some(operands.first()?.to_vec()),
            MatrixFunction::HermitianEigenvalues | MatrixFunction::Eigenvalues => {
                Some(vec![Dim::Const(1), operands.first()?.last()?.clone()])
            }
            MatrixFunction::Solve
            | MatrixFunction::Inverse
            | MatrixFunction::Cholesky
            | MatrixFunction::HermitianEigen
            | MatrixFunction::Eigen => {
                let last = operands.last()?;
                Some(vec![below(last.first()?)?, last.last()?.clone()])
            }
        }
    }

    fn given(self, operands: &[&[Dim]], len: Dim) -> Option<Shape> {
        let (rows, columns) = operands.first().and_then(|own| Some((own.first()?, own.last()?)))?;
        match self {
            MatrixFunction::Qr => Some(vec![rows.clone(), len.add_scaled(columns, 1)?]),
            MatrixFunction::ThinSvd | MatrixFunction::FullSvd => Some(vec![below(&rows.add_scaled(columns, 1)?)?, len]),
            MatrixFunction::SingularValues => Some(vec![Dim::Const(1), len]),
            MatrixFunction::Solve
            | MatrixFunction::Inverse
            | MatrixFunction::Determinant
            | MatrixFunction::Lu
            | MatrixFunction::Exponential
            | MatrixFunction::Cholesky
            | MatrixFunction::HermitianEigen
            | MatrixFunction::HermitianEigenvalues
            | MatrixFunction::Eigen
            | MatrixFunction::Eigenvalues => self.lengths(operands),
        }
    }
}
