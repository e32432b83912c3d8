//! The abilities of this processor: the one answer, which all of [`crate::exec`] asks.
//!
//! A [`Level`] is a set of instructions that code is written for. The engine uses the highest that the processor has,
//! unless it is [held](hold) to a lower one, so that each can be tested and timed on any machine that has it. Results
//! do not depend on it.
//!
//! ```
//! use arrlang::exec::machine::{Level, level};
//! assert!(level().runs_here() && level() <= Level::best());
//! assert_eq!(Level::by_name("avx2"), Some(Level::Avx2));
//! ```

use std::fmt;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU8, Ordering};

/// A set of instructions. Each has those before it too.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Level {
    /// What every processor of this architecture has. Nothing is compiled: below SSE4.1 and FMA some operations would
    /// be calls of a library.
    Base,
    /// SSE4.1 with fused multiplication and addition: vectors of 128 bits.
    Sse,
    /// AVX2 with F16C: vectors of 256 bits, sixteen of them.
    Avx2,
    /// AVX-512 with the extensions F, DQ, VL and BW: vectors of 512 bits, thirty-two of them, and masks.
    Avx512,
}

/// What there is to know of a level.
struct LevelRow {
    name: &'static str,
    /// Whom compilers call a processor that has it, beside the name.
    processor: Option<&'static str>,
    vector_bits: usize,
    /// Whether this processor has what the level adds to the one before it.
    is_added: fn() -> bool,
    /// What Cranelift calls what the level adds, of what it heeds.
    flags: &'static [&'static str],
}

/// The levels, as in [`Level::ALL`].
static ROWS: [LevelRow; 4] = [
    LevelRow { name: "base", processor: None, vector_bits: 0, is_added: || true, flags: &[] },
    LevelRow {
        name: "sse",
        processor: None,
        vector_bits: 128,
        is_added: detected::sse,
        flags: &["has_sse3", "has_ssse3", "has_sse41", "has_sse42", "has_popcnt", "has_avx", "has_fma"],
    },
    LevelRow {
        name: "avx2",
        processor: Some("x86-64-v3"),
        vector_bits: 256,
        is_added: detected::avx2,
        flags: &["has_avx2", "has_bmi1", "has_bmi2", "has_lzcnt"],
    },
    LevelRow { name: "avx512", processor: Some("x86-64-v4"), vector_bits: 512, is_added: detected::avx512, flags: &[] },
];

/// Whether this processor has what a level adds.
#[cfg(target_arch = "x86_64")]
mod detected {
    pub(super) fn sse() -> bool {
        is_x86_feature_detected!("sse4.1") && is_x86_feature_detected!("fma")
    }

    pub(super) fn avx2() -> bool {
        is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("f16c")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt")
    }

    pub(super) fn avx512() -> bool {
        is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512dq")
            && is_x86_feature_detected!("avx512vl")
            && is_x86_feature_detected!("avx512bw")
    }
}

/// Other processors have none of the levels.
#[cfg(not(target_arch = "x86_64"))]
mod detected {
    pub(super) fn sse() -> bool {
        false
    }

    pub(super) use self::{sse as avx2, sse as avx512};
}

/// The processor's level, found out once.
static BEST: LazyLock<Level> =
    LazyLock::new(|| Level::ALL.into_iter().rfind(|level| level.runs_here()).unwrap_or(Level::Base));

/// The level that the process is held to, as its place in [`Level::ALL`].
static HELD: AtomicU8 = AtomicU8::new(Level::Avx512 as u8);

#[cfg(test)]
thread_local! {
    /// The level that this thread is held to: tests run side by side.
    static HELD_HERE: std::cell::Cell<Option<Level>> = const { std::cell::Cell::new(None) };
}

/// The level that code is written for.
#[inline]
pub fn level() -> Level {
    #[cfg(test)]
    if let Some(level) = HELD_HERE.get() {
        return level;
    }
    Level::ALL[usize::from(HELD.load(Ordering::Relaxed))].min(Level::best())
}

/// Holds the process to a level, or to what the processor has if that is lower; the level that it is.
pub fn hold(wanted: Level) -> Level {
    HELD.store(wanted as u8, Ordering::Relaxed);
    level()
}

/// Whether the processor is made by AMD: what is worth doing differs between makers.
#[cfg(all(feature = "jit", target_arch = "x86_64"))]
pub(crate) fn is_amd() -> bool {
    static IS_AMD: LazyLock<bool> = LazyLock::new(|| {
        let maker = std::arch::x86_64::__cpuid(0);
        [maker.ebx, maker.edx, maker.ecx].map(u32::to_le_bytes).concat() == *b"AuthenticAMD"
    });
    *IS_AMD
}

/// Whether vectors have an instruction that counts the bits of lanes.
#[cfg(all(feature = "jit", target_arch = "x86_64"))]
pub(crate) fn counts_bits() -> bool {
    is_x86_feature_detected!("avx512vpopcntdq") && is_x86_feature_detected!("avx512bitalg")
}

/// Runs something on this thread with the engine held to a level, which the processor must have.
#[cfg(test)]
pub(crate) fn held<T>(to: Level, run: impl FnOnce() -> T) -> T {
    assert!(to.runs_here());
    let before = HELD_HERE.replace(Some(to));
    let result = run();
    HELD_HERE.set(before);
    result
}

impl Level {
    /// All, the lowest first.
    pub const ALL: [Level; 4] = [Level::Base, Level::Sse, Level::Avx2, Level::Avx512];

    /// Those that code is compiled for, the lowest first.
    pub fn with_code() -> impl Iterator<Item = Level> {
        Level::ALL.into_iter().filter(|level| level.vector_bits() > 0)
    }

    /// The highest that this processor has.
    pub fn best() -> Level {
        *BEST
    }

    fn row(self) -> &'static LevelRow {
        &ROWS[self as usize]
    }

    /// The rows of the level and of those before it.
    fn rows(self) -> &'static [LevelRow] {
        &ROWS[..=self as usize]
    }

    /// `sse`, `avx2`, `avx512`; `base` for what every processor has.
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// The level with a name, of those that code is compiled for.
    pub fn by_name(name: &str) -> Option<Level> {
        Level::with_code().find(|level| level.name() == name)
    }

    /// The level of a processor that compilers know by name: `x86-64-v3`, `x86-64-v4`.
    pub fn of_processor(name: &str) -> Option<Level> {
        Level::with_code().find(|level| level.row().processor == Some(name))
    }

    /// Bits of the vectors that compiled code uses. It is 0 where nothing is compiled.
    pub fn vector_bits(self) -> usize {
        self.row().vector_bits
    }

    /// What Cranelift calls the instructions of the level, of those that it heeds.
    pub fn flags(self) -> impl Iterator<Item = &'static str> {
        self.rows().iter().flat_map(|row| row.flags).copied()
    }

    /// Whether this processor has it.
    pub fn runs_here(self) -> bool {
        self.rows().iter().all(|row| (row.is_added)())
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_level_has_those_before_it() {
        for [lower, higher] in Level::ALL.array_windows() {
            assert!(lower < higher && (lower.runs_here() || !higher.runs_here()));
            assert!(lower.vector_bits() < higher.vector_bits());
            assert!(lower.flags().eq(higher.flags().take(lower.flags().count())));
        }
        assert!(Level::best().runs_here());
    }

    #[test]
    fn levels_have_names_but_the_one_without_code() {
        for level in Level::ALL {
            assert_eq!(Level::by_name(level.name()), (level != Level::Base).then_some(level));
        }
        assert_eq!(Level::by_name("AVX2"), None);
        assert_eq!(Level::of_processor("x86-64-v3"), Some(Level::Avx2));
        assert_eq!((Level::of_processor("x86-64"), Level::of_processor("sse")), (None, None));
    }

    #[test]
    fn a_thread_is_held_to_a_level_and_let_go() {
        let before = level();
        let lower = held(Level::Base, || (level(), held(before, level), level()));
        assert_eq!((lower, level()), ((Level::Base, before, Level::Base), before));
    }
}
