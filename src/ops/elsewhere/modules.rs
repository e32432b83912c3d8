//! Modules of elsewhere, which are accepted before a name: `np.sum`, `jax.nn.relu`, `np.linalg.norm`.

use super::{Counterpart, ElsewhereRow, Home, INDEX};
use crate::types::DType;
use std::str::FromStr;

/// A module that may stand before a name.
#[derive(Clone, Copy, Debug)]
pub struct Module {
    /// Its names.
    pub paths: &'static [&'static str],
    /// Whose it is.
    pub home: Home,
    /// The part of the library, as rows write it before a name; empty for the library itself.
    pub part: &'static str,
    /// Whether a name that no row has for this part is the library's own, as `relu` in `jax.nn`.
    pub open: bool,
    /// Whether its functions give numbers of Python, which take the dtype that they meet.
    pub numbers: bool,
}

/// A module that has the names of the library too.
const fn open(paths: &'static [&'static str], home: Home, part: &'static str) -> Module {
    Module { paths, home, part, open: true, numbers: false }
}

/// A module that has nothing but what rows have for its part.
const fn closed(paths: &'static [&'static str], home: Home, part: &'static str) -> Module {
    Module { open: false, ..open(paths, home, part) }
}

/// The rows.
pub const MODULES: &[Module] = &[
    open(&["np", "numpy", "cp", "cupy", "tf.experimental.numpy", "tnp"], Home::NumPy, ""),
    open(&["xp", "array_api"], Home::ArrayApi, ""),
    open(&["jnp", "jax.numpy", "jax"], Home::Jax, ""),
    open(&["jax.ops"], Home::Jax, ""),
    open(&["jax.nn"], Home::Jax, "nn"),
    open(&["jax.lax", "lax"], Home::Jax, "lax"),
    open(&["jax.scipy.special", "jsp.special", "scipy.special", "special"], Home::SciPy, ""),
    closed(
        &[
            "scipy.stats",
            "scipy.signal",
            "scipy.signal.windows",
            "scipy.interpolate",
            "scipy.optimize",
            "scipy.integrate",
            "scipy.spatial",
            "scipy.spatial.distance",
            "stats",
            "signal",
            "interpolate",
            "optimize",
            "integrate",
            "spatial",
            "spatial.distance",
            "scipy",
        ],
        Home::SciPy,
        "",
    ),
    closed(&["scipy.ndimage", "ndimage"], Home::SciPy, "ndimage"),
    open(&["torch"], Home::Torch, ""),
    open(&["torch.special"], Home::Torch, ""),
    open(&["torch.nn.functional", "nn.functional", "F"], Home::Torch, "nn"),
    open(&["tf", "tensorflow", "tf.math", "tensorflow.math", "tf.bitwise"], Home::TensorFlow, ""),
    open(&["tf.nn"], Home::TensorFlow, "nn"),
    open(&["pd", "pandas"], Home::Pandas, ""),
    Module { numbers: true, ..open(&["math", "cmath"], Home::Python, "") },
    open(&["operator"], Home::Python, ""),
    open(
        &[
            "np.linalg",
            "numpy.linalg",
            "jnp.linalg",
            "jax.numpy.linalg",
            "torch.linalg",
            "scipy.linalg",
            "xp.linalg",
            "linalg",
        ],
        Home::NumPy,
        "linalg",
    ),
    closed(
        &["np.fft", "numpy.fft", "jnp.fft", "jax.numpy.fft", "torch.fft", "scipy.fft", "xp.fft", "fft"],
        Home::NumPy,
        "fft",
    ),
    closed(&["jax.random", "jnp.random", "jrandom", "jr", "random"], Home::Jax, "random"),
    closed(&["np.random", "numpy.random", "torch.random"], Home::NumPy, "numpy.random"),
    closed(&["np.ma", "numpy.ma"], Home::NumPy, "ma"),
    closed(&["np.emath", "numpy.emath", "np.lib.scimath", "numpy.lib.scimath"], Home::NumPy, "emath"),
    closed(&["np.char", "np.strings", "numpy.char", "numpy.strings"], Home::NumPy, "char"),
    closed(&["np.rec", "numpy.rec"], Home::NumPy, "rec"),
    closed(&["np.testing", "numpy.testing", "torch.testing"], Home::NumPy, "testing"),
    closed(
        &[
            "np.polynomial",
            "numpy.polynomial",
            "np.polynomial.polynomial",
            "np.polynomial.chebyshev",
            "np.polynomial.hermite",
            "np.polynomial.hermite_e",
            "np.polynomial.laguerre",
            "np.polynomial.legendre",
        ],
        Home::NumPy,
        "polynomial",
    ),
    closed(&["nn", "torch.nn", "flax.linen", "keras.layers", "tf.keras.layers"], Home::Python, "layers"),
    closed(&["plt", "pyplot", "matplotlib.pyplot", "sns", "seaborn"], Home::Python, "plt"),
];

/// The module of this name.
pub fn find(path: &str) -> Option<&'static Module> {
    MODULES.iter().find(|module| module.paths.contains(&path))
}

/// Whether a module's name ends in this word: `linalg`.
pub fn is_last(word: &str) -> bool {
    MODULES.iter().flat_map(|module| module.paths).any(|path| path.rsplit('.').next() == Some(word))
}

/// A name behind a module, or one with dots of its own.
#[derive(Clone, Copy, Debug)]
pub enum Meaning {
    /// A row says what it becomes.
    Row(&'static ElsewhereRow),
    /// What the name means without the module.
    Plain,
    /// The module has nothing of this name that is known here.
    Unknown(&'static Module),
}

/// What `path.name` means: `np.linalg` and `norm`, `np.maximum` and `accumulate`. `None` where it begins with no module
/// and no row has it.
pub fn meaning(path: &str, name: &str) -> Option<Meaning> {
    // A row may be of one path alone: `torch.linalg.vander`.
    if let Some(row) = INDEX.get(format!("{path}.{name}").as_str()).copied() {
        return Some(Meaning::Row(row));
    }
    let Some(module) = find(path) else { return dotted(path, name).map(Meaning::Row) };
    let in_part = |part: &str, name: &str| INDEX.get(format!("{part}.{name}").as_str()).copied();
    let in_own_part = || in_part(module.part, name).filter(|_| !module.part.is_empty());
    let in_library = || in_part(module.home.word(), name);
    // `convolve` of `scipy.ndimage` is none of `scipy.signal`.
    let own = if module.open { in_library().or_else(in_own_part) } else { in_own_part().or_else(in_library) };
    Some(match own.or_else(|| in_part(module.part, "*")) {
        Some(row) => Meaning::Row(row),
        None if module.open => match INDEX.get(name).filter(|_| plain(name).is_none()) {
            Some(row) => Meaning::Row(row),
            None => Meaning::Plain,
        },
        // Names of the library that are in one of its modules.
        None => match INDEX.get(name).filter(|row| module.part.is_empty() && row.homes.contains(&module.home)) {
            Some(row) => Meaning::Row(row),
            None => Meaning::Unknown(module),
        },
    })
}

/// The part of a library, as rows write it, that has no such name, neither here nor elsewhere: `random` for `nomal`.
pub fn part_without(path: &str, name: &str) -> Option<&'static str> {
    let part = find(path).map(|module| module.part).filter(|part| !part.is_empty())?;
    let full = format!("{part}.{name}");
    (crate::ops::by_name(&full).is_none() && !INDEX.contains_key(full.as_str())).then_some(part)
}

/// `maximum.accumulate`, with or without a module in front.
fn dotted(path: &str, name: &str) -> Option<&'static ElsewhereRow> {
    let inner = path.split_once('.').filter(|(first, _)| find(first).is_some()).map_or(path, |(_, rest)| rest);
    let own = INDEX.get(format!("{inner}.{name}").as_str());
    let any = || crate::ops::find(inner).and_then(|_| INDEX.get(format!("ufunc.{name}").as_str()));
    own.or_else(any).copied()
}

/// Our name of an operation, a dtype or a constant.
fn plain(name: &str) -> Option<&'static str> {
    let op = crate::ops::by_name(name).map(|op| op.name);
    let dtype = || DType::from_str(name).ok().map(DType::name);
    op.or_else(dtype).or_else(|| crate::ops::constants::find(name).map(|constant| constant.name))
}

/// The name of ours that `path.name` is; `path` is empty for a name that stands alone. What is ours already stays.
pub fn ours(path: &str, name: &str) -> Option<&'static str> {
    let row = match (path, name) {
        ("", name) => super::find(name)?,
        (path, name) => match meaning(path, name)? {
            Meaning::Row(row) => row,
            Meaning::Plain => return plain(name),
            Meaning::Unknown(_) => return None,
        },
    };
    match row.becomes {
        Counterpart::Same(ours) => Some(ours),
        Counterpart::Code { .. } | Counterpart::Missing(_) | Counterpart::Advice(_) => None,
    }
}
