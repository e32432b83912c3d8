//! The innermost loops of products: a tile of the result held in registers while the products go by.
//!
//! A tile has some rows and some vectors of columns. It takes one column of the left factor and one row of the right
//! one at a time, in order, so each element is one chain of fused steps, however wide vectors are and whatever tile it
//! falls into.
//!
//! ```text
//! tile(k, a: [k][rows], b: k rows of columns, c: rows × columns)
//! ```
#![expect(unsafe_code, reason = "intrinsics need their level, and load from addresses")]

use crate::exec::machine::{Level, level};

/// What elements of products are.
pub(super) trait ProductElement: Copy + Send + Sync + 'static {
    /// The additive identity.
    const ZERO: Self;
    /// Whether all bits are elements, which can be used where they lie.
    const ANY_BITS: bool;

    /// The element at an address, of any alignment.
    ///
    /// # Safety
    /// There is one that can be read.
    #[inline(always)]
    unsafe fn read(at: *const u8) -> Self {
        // SAFETY: the caller promises an element that can be read here; no alignment is needed.
        unsafe { at.cast::<Self>().read_unaligned() }
    }

    /// One step of a chain: `self * factor + sum`, rounded once.
    fn fused(self, factor: Self, sum: Self) -> Self;

    /// The tiles of a level: of one, some and many rows.
    fn tiles(level: Level) -> [Tile<Self>; 3];

    /// Tiles one vector wide, of some and many rows, where those are wider.
    fn narrow(_: Level) -> Option<[Tile<Self>; 2]> {
        None
    }

    /// What multiplies a matrix by a vector at a level, where elements are read as they lie.
    fn lines(level: Level) -> Option<LinesKernel<Self>>;
}

/// A tile: how many rows and columns it has, and what computes it.
#[derive(Clone, Copy)]
pub(super) struct Tile<T> {
    /// Its rows.
    pub(super) rows: usize,
    /// Its columns.
    pub(super) columns: usize,
    run: unsafe fn(TileArgs<T>),
}

/// What a tile is made of.
#[derive(Clone, Copy)]
pub(super) struct TileArgs<T> {
    /// How many products.
    pub(super) count: usize,
    /// The left factor: for each product as many elements as the tile has rows.
    pub(super) left: *const T,
    /// The right factor: for each product as many elements as the tile has columns.
    pub(super) right: *const T,
    /// The distance between its rows, in elements.
    pub(super) right_row: usize,
    /// The result.
    pub(super) out: *mut T,
    /// The distance between its rows, in elements.
    pub(super) out_row: usize,
    /// Whether the result begins as zeros; else it goes on with what is there.
    pub(super) first: bool,
}

impl<T> Tile<T> {
    /// A tile of `R` rows and `C` vectors of columns, by the code of a build.
    fn of<B: TileBuild, V: TileVector<Item = T>, const R: usize, const C: usize>() -> Tile<T> {
        Tile { rows: R, columns: C * V::COUNT, run: B::tile::<V, R, C> }
    }

    /// Computes a tile.
    ///
    /// # Safety
    /// The addresses are those of as many elements as [`TileArgs`] says. `left` is aligned; the others need not be. The
    /// factors can be read. The elements of the result can be read and written, and nobody else uses them meanwhile.
    /// The processor has the level that the tile was made for.
    pub(super) unsafe fn run(&self, step: TileArgs<T>) {
        // SAFETY: the caller promises the elements of [`TileArgs`] and the level of the processor.
        unsafe { (self.run)(step) }
    }
}

/// What multiplies a matrix by a vector.
#[derive(Clone, Copy)]
pub(super) struct LinesKernel<T> {
    /// Tiles of one row, from the widest.
    pub(super) across: [Tile<T>; 4],
    along: unsafe fn(LinesArgs<T>),
}

/// Lines of a matrix and the vector that each is multiplied by.
#[derive(Clone, Copy)]
pub(super) struct LinesArgs<T> {
    /// How many lines: at most [`MAX_LINES`].
    pub(super) lines: usize,
    /// How many products each has.
    pub(super) count: usize,
    /// The first element of the first line.
    pub(super) first: *const u8,
    /// The distance between lines, in bytes.
    pub(super) line: isize,
    /// The distance between elements of a line, in bytes.
    pub(super) step: isize,
    /// The vector.
    pub(super) vector: *const T,
    /// The result: an element for each line.
    pub(super) out: *mut T,
    /// Whether sums start from the values in `out`; otherwise they start from zero.
    pub(super) goes_on: bool,
}

/// The most lines that go side by side. Each line is a chain of its own.
pub(super) const MAX_LINES: usize = 8;

impl<T: ProductElement> LinesKernel<T> {
    /// What a build has, with vectors of one kind.
    fn of<B: TileBuild, V: TileVector<Item = T>>() -> LinesKernel<T> {
        let across =
            [Tile::of::<B, V, 1, 8>(), Tile::of::<B, V, 1, 4>(), Tile::of::<B, V, 1, 2>(), Tile::of::<B, V, 1, 1>()];
        LinesKernel { across, along: B::along::<T> }
    }

    /// Computes an element for each of these lines.
    ///
    /// # Safety
    /// There is at least one line. The addresses are those of as many elements as [`LinesArgs`] says, with any
    /// alignment. The lines and the vector can be read. The elements of the result can be read and written, and nobody
    /// else uses them meanwhile. The processor has the level that this code was made for.
    pub(super) unsafe fn along(&self, lines: LinesArgs<T>) {
        // SAFETY: the caller promises the elements of [`LinesArgs`] and the level of the processor.
        unsafe { (self.along)(lines) }
    }
}

/// The best tile for a result of `rows` rows and `columns` columns. If there are few rows, the tile has more columns,
/// and if there are few columns, it has more rows.
pub(super) fn tile<T: ProductElement>(rows: usize, columns: usize) -> Tile<T> {
    let fits = |tile: &Tile<T>| rows <= tile.rows;
    let [one, some, many] = T::tiles(level());
    match T::narrow(level()) {
        Some([narrow, tall]) if columns <= narrow.columns && rows > 1 => Some(narrow).filter(fits).unwrap_or(tall),
        _ => [one, some].into_iter().find(fits).unwrap_or(many),
    }
}

/// Elements side by side. There is a vector only where the processor has its instructions: whoever makes one knows that.
///
/// # Safety
/// Whoever calls a function that is unsafe knows this: the processor has the instructions of the vector, and an address
/// is valid for `COUNT` elements, with any alignment.
trait TileVector: Copy {
    type Item: ProductElement;
    const COUNT: usize;
    /// The elements from an address on. See the safety of [`TileVector`].
    unsafe fn load(at: *const Self::Item) -> Self;
    /// Writes the elements from an address on. See the safety of [`TileVector`].
    unsafe fn store(self, at: *mut Self::Item);
    /// Every element the same. See the safety of [`TileVector`].
    unsafe fn splat(item: Self::Item) -> Self;
    /// `self * factor + sum`, rounded once.
    fn fused(self, factor: Self, sum: Self) -> Self;
}

/// Computes a tile of `R` rows and `C` vectors of columns.
///
/// # Safety
/// As for [`Tile::run`] of such a tile, and for [`TileVector`].
#[inline(always)]
unsafe fn compute<V: TileVector, const R: usize, const C: usize>(step: TileArgs<V::Item>) {
    let TileArgs { count, mut left, mut right, right_row, out, out_row, first } = step;
    let zero = V::Item::ZERO;
    // SAFETY: addresses stay inside of what the caller promises: `R` rows of `C` vectors each, `count` products.
    unsafe {
        let mut sums = [[V::splat(zero); C]; R];
        if !first {
            for (row, sums) in sums.iter_mut().enumerate() {
                for (at, sum) in sums.iter_mut().enumerate() {
                    *sum = V::load(out.add(row * out_row + at * V::COUNT));
                }
            }
        }
        for _ in 0..count {
            let mut factors = [V::splat(zero); C];
            for (at, factor) in factors.iter_mut().enumerate() {
                *factor = V::load(right.add(at * V::COUNT));
            }
            for (row, sums) in sums.iter_mut().enumerate() {
                let own = V::splat(*left.add(row));
                for (sum, &factor) in sums.iter_mut().zip(&factors) {
                    *sum = own.fused(factor, *sum);
                }
            }
            left = left.add(R);
            right = right.wrapping_add(right_row);
        }
        for (row, sums) in sums.iter().enumerate() {
            for (at, sum) in sums.iter().enumerate() {
                sum.store(out.add(row * out_row + at * V::COUNT));
            }
        }
    }
}

/// Computes an element for each line.
///
/// # Safety
/// As for [`LinesKernel::along`].
#[inline(always)]
unsafe fn lines<T: ProductElement>(of: LinesArgs<T>) {
    let LinesArgs { lines, count, first, line, step, vector, out, goes_on } = of;
    // The last line stands in for those that are not there.
    let starts: [*const u8; MAX_LINES] =
        std::array::from_fn(|at| first.wrapping_offset(at.min(lines - 1) as isize * line));
    let mut sums = [T::ZERO; MAX_LINES];
    for (at, sum) in sums.iter_mut().enumerate().take(if goes_on { lines } else { 0 }) {
        // SAFETY: the caller promises an element of the result for each line.
        *sum = unsafe { out.add(at).read_unaligned() };
    }
    for at in 0..count {
        // SAFETY: the caller promises `count` elements of each line, and of the vector.
        unsafe {
            let own = vector.add(at).read_unaligned();
            for (sum, start) in sums.iter_mut().zip(starts) {
                *sum = T::read(start.wrapping_offset(at as isize * step)).fused(own, *sum);
            }
        }
    }
    for (at, sum) in sums.into_iter().enumerate().take(lines) {
        // SAFETY: the caller promises an element of the result for each line.
        unsafe { out.add(at).write_unaligned(sum) };
    }
}

/// Elements of any type, which the compiler makes vectors of.
#[derive(Clone, Copy)]
struct PlainVector<T, const N: usize>([T; N]);

impl<T: ProductElement, const N: usize> TileVector for PlainVector<T, N> {
    type Item = T;
    const COUNT: usize = N;
    #[inline(always)]
    unsafe fn load(at: *const T) -> Self {
        // SAFETY: the caller promises `N` elements that can be read here; no alignment is needed.
        PlainVector(unsafe { at.cast::<[T; N]>().read_unaligned() })
    }
    #[inline(always)]
    unsafe fn store(self, at: *mut T) {
        // SAFETY: the caller promises `N` elements that can be written here; no alignment is needed.
        unsafe { at.cast::<[T; N]>().write_unaligned(self.0) }
    }
    #[inline(always)]
    unsafe fn splat(item: T) -> Self {
        PlainVector([item; N])
    }
    #[inline(always)]
    fn fused(mut self, factor: Self, sum: Self) -> Self {
        for at in 0..N {
            self.0[at] = self.0[at].fused(factor.0[at], sum.0[at]);
        }
        self
    }
}

/// What the loops are compiled for: some instructions of processors.
///
/// # Safety
/// Whoever calls a function knows this: the processor has these instructions.
trait TileBuild {
    /// As for [`compute`]. See the safety of [`TileBuild`].
    unsafe fn tile<V: TileVector, const R: usize, const C: usize>(step: TileArgs<V::Item>);
    /// As for [`LinesKernel::along`]. See the safety of [`TileBuild`].
    unsafe fn along<T: ProductElement>(of: LinesArgs<T>);
}

macro_rules! builds {
    ($($name:ident $($features:literal)?;)*) => {$(
        struct $name;
        impl TileBuild for $name {
            $(#[target_feature(enable = $features)])?
            unsafe fn tile<V: TileVector, const R: usize, const C: usize>(step: TileArgs<V::Item>) {
                // SAFETY: the caller promises what [`compute`] asks for, and a processor with these instructions.
                unsafe { compute::<V, R, C>(step) }
            }
            $(#[target_feature(enable = $features)])?
            unsafe fn along<T: ProductElement>(of: LinesArgs<T>) {
                // SAFETY: the caller promises the elements of [`LinesArgs`].
                unsafe { lines::<T>(of) }
            }
        }
    )*};
}

builds! { AnyProcessor; }
#[cfg(target_arch = "x86_64")]
builds! {
    SseFloats "sse4.1,fma";
    Avx2Floats "avx2,fma";
    Avx512Floats "avx512f";
    Avx2Integers "avx2";
    Avx512Integers "avx512f,avx512bw,avx512dq,avx512vl";
}

/// Tiles for every processor.
fn plain_tiles<V: TileVector>() -> [Tile<V::Item>; 3] {
    type B = AnyProcessor;
    [Tile::of::<B, V, 1, 4>(), Tile::of::<B, V, 4, 1>(), Tile::of::<B, V, 4, 1>()]
}

/// Tiles of floats with sixteen registers.
#[cfg(target_arch = "x86_64")]
fn narrow_float_tiles<B: TileBuild, V: TileVector>() -> [Tile<V::Item>; 3] {
    [Tile::of::<B, V, 1, 8>(), Tile::of::<B, V, 4, 3>(), Tile::of::<B, V, 6, 2>()]
}

/// Tiles of floats with thirty-two registers.
#[cfg(target_arch = "x86_64")]
fn wide_float_tiles<B: TileBuild, V: TileVector>() -> [Tile<V::Item>; 3] {
    [Tile::of::<B, V, 1, 8>(), Tile::of::<B, V, 4, 4>(), Tile::of::<B, V, 12, 2>()]
}

/// Tiles one vector wide.
#[cfg(target_arch = "x86_64")]
fn one_vector_tiles<B: TileBuild, V: TileVector>() -> [Tile<V::Item>; 2] {
    [Tile::of::<B, V, 4, 1>(), Tile::of::<B, V, 8, 1>()]
}

/// Tiles of integers and truth values.
#[cfg(target_arch = "x86_64")]
fn integer_tiles<B: TileBuild, V: TileVector>() -> [Tile<V::Item>; 3] {
    [Tile::of::<B, V, 1, 4>(), Tile::of::<B, V, 4, 1>(), Tile::of::<B, V, 6, 1>()]
}

macro_rules! floats {
    ($($T:ident $xmm:ident $ymm:ident $zmm:ident $n:literal;)*) => {$(
        impl ProductElement for $T {
            const ZERO: Self = 0.0;
            const ANY_BITS: bool = true;
            #[inline(always)]
            fn fused(self, factor: Self, sum: Self) -> Self { self.mul_add(factor, sum) }
            fn tiles(level: Level) -> [Tile<Self>; 3] {
                match level {
                    #[cfg(target_arch = "x86_64")]
                    Level::Avx512 => wide_float_tiles::<Avx512Floats, x86::$zmm>(),
                    #[cfg(target_arch = "x86_64")]
                    Level::Avx2 => narrow_float_tiles::<Avx2Floats, x86::$ymm>(),
                    #[cfg(target_arch = "x86_64")]
                    Level::Sse => narrow_float_tiles::<SseFloats, x86::$xmm>(),
                    _ => plain_tiles::<PlainVector<$T, $n>>(),
                }
            }
            fn narrow(level: Level) -> Option<[Tile<Self>; 2]> {
                match level {
                    #[cfg(target_arch = "x86_64")]
                    Level::Avx512 => Some(one_vector_tiles::<Avx512Floats, x86::$zmm>()),
                    #[cfg(target_arch = "x86_64")]
                    Level::Avx2 => Some(one_vector_tiles::<Avx2Floats, x86::$ymm>()),
                    #[cfg(target_arch = "x86_64")]
                    Level::Sse => Some(one_vector_tiles::<SseFloats, x86::$xmm>()),
                    _ => None,
                }
            }
            fn lines(level: Level) -> Option<LinesKernel<Self>> {
                Some(match level {
                    #[cfg(target_arch = "x86_64")]
                    Level::Avx512 => LinesKernel::of::<Avx512Floats, x86::$zmm>(),
                    #[cfg(target_arch = "x86_64")]
                    Level::Avx2 => LinesKernel::of::<Avx2Floats, x86::$ymm>(),
                    #[cfg(target_arch = "x86_64")]
                    Level::Sse => LinesKernel::of::<SseFloats, x86::$xmm>(),
                    _ => LinesKernel::of::<AnyProcessor, PlainVector<$T, $n>>(),
                })
            }
        }
    )*};
}

floats! { f32 F32x4 F32x8 F32x16 4; f64 F64x2 F64x4 F64x8 2; }

macro_rules! integers {
    ($($T:ident $n:literal;)*) => {$(
        impl ProductElement for $T {
            const ZERO: Self = 0;
            const ANY_BITS: bool = true;
            #[inline(always)]
            fn fused(self, factor: Self, sum: Self) -> Self { sum.wrapping_add(self.wrapping_mul(factor)) }
            fn tiles(level: Level) -> [Tile<Self>; 3] {
                match level {
                    #[cfg(target_arch = "x86_64")]
                    Level::Avx512 => integer_tiles::<Avx512Integers, PlainVector<$T, $n>>(),
                    #[cfg(target_arch = "x86_64")]
                    Level::Avx2 => integer_tiles::<Avx2Integers, PlainVector<$T, $n>>(),
                    _ => plain_tiles::<PlainVector<$T, $n>>(),
                }
            }
            fn lines(level: Level) -> Option<LinesKernel<Self>> {
                Some(match level {
                    #[cfg(target_arch = "x86_64")]
                    Level::Avx512 => LinesKernel::of::<Avx512Integers, PlainVector<$T, $n>>(),
                    #[cfg(target_arch = "x86_64")]
                    Level::Avx2 => LinesKernel::of::<Avx2Integers, PlainVector<$T, $n>>(),
                    _ => LinesKernel::of::<AnyProcessor, PlainVector<$T, $n>>(),
                })
            }
        }
    )*};
}

integers! { u8 64; i8 64; u16 32; i16 32; u32 16; i32 16; u64 8; i64 8; }

/// A truth value: 0 or 1. Its sum is "or", its product "and".
#[derive(Clone, Copy)]
pub(super) struct BoolElement(u8);

impl ProductElement for BoolElement {
    const ZERO: Self = BoolElement(0);
    const ANY_BITS: bool = false;
    #[inline(always)]
    fn fused(self, factor: Self, sum: Self) -> Self {
        BoolElement(sum.0 | self.0 & factor.0)
    }
    #[inline(always)]
    unsafe fn read(at: *const u8) -> Self {
        // SAFETY: the caller promises a byte that can be read here. Any but 0 is true.
        BoolElement(u8::from(unsafe { at.read() } != 0))
    }
    fn tiles(level: Level) -> [Tile<Self>; 3] {
        match level {
            #[cfg(target_arch = "x86_64")]
            Level::Avx512 | Level::Avx2 => integer_tiles::<Avx2Integers, PlainVector<BoolElement, 32>>(),
            _ => plain_tiles::<PlainVector<BoolElement, 32>>(),
        }
    }
    fn lines(_: Level) -> Option<LinesKernel<Self>> {
        None
    }
}

/// The vectors of floats that processors have.
#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::TileVector;
    #[allow(clippy::wildcard_imports, reason = "most of what stands here are intrinsics")]
    use std::arch::x86_64::*;

    macro_rules! vectors {
        ($($name:ident $Raw:ident $T:ident $count:literal $load:ident $store:ident $splat:ident $fused:ident;)*) => {$(
            #[derive(Clone, Copy)]
            pub(super) struct $name($Raw);

            impl TileVector for $name {
                type Item = $T;
                const COUNT: usize = $count;
                #[inline(always)]
                unsafe fn load(at: *const $T) -> Self {
                    // SAFETY: the caller promises the instruction and `COUNT` elements to read, with any alignment.
                    $name(unsafe { $load(at) })
                }
                #[inline(always)]
                unsafe fn store(self, at: *mut $T) {
                    // SAFETY: the caller promises the instruction and `COUNT` elements to write, with any alignment.
                    unsafe { $store(at, self.0) }
                }
                #[inline(always)]
                unsafe fn splat(item: $T) -> Self {
                    // SAFETY: only registers are used, and the caller promises the instruction.
                    $name(unsafe { $splat(item) })
                }
                #[inline(always)]
                fn fused(self, factor: Self, sum: Self) -> Self {
                    // SAFETY: only registers are used; there is a vector, and so there is the instruction.
                    $name(unsafe { $fused(self.0, factor.0, sum.0) })
                }
            }
        )*};
    }

    vectors! {
        F32x4 __m128 f32 4 _mm_loadu_ps _mm_storeu_ps _mm_set1_ps _mm_fmadd_ps;
        F32x8 __m256 f32 8 _mm256_loadu_ps _mm256_storeu_ps _mm256_set1_ps _mm256_fmadd_ps;
        F32x16 __m512 f32 16 _mm512_loadu_ps _mm512_storeu_ps _mm512_set1_ps _mm512_fmadd_ps;
        F64x2 __m128d f64 2 _mm_loadu_pd _mm_storeu_pd _mm_set1_pd _mm_fmadd_pd;
        F64x4 __m256d f64 4 _mm256_loadu_pd _mm256_storeu_pd _mm256_set1_pd _mm256_fmadd_pd;
        F64x8 __m512d f64 8 _mm512_loadu_pd _mm512_storeu_pd _mm512_set1_pd _mm512_fmadd_pd;
    }
}
