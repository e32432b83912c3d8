//! Random numbers from keys: the functions of `jax.random`, with its numbers.
//!
//! A row says what is drawn; the checker finds the key, the shape and the dtype, and [`super::threefry`] and
//! [`super::draws`] make the numbers.

use super::distributions::Distribution;
use super::{Form, Op, Param, Role, row};
use crate::promotion::Class;

/// What is drawn, or made of keys.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Draw {
    /// A key of a number.
    Key,
    /// A key as it is.
    KeyData,
    /// Keys of a key.
    Split,
    /// A key of a key and a number.
    FoldIn,
    /// Random bits.
    Bits,
    /// Floats between two bounds.
    Uniform,
    /// Integers between two bounds.
    Integers,
    /// Whether something with a probability happens.
    Bernoulli,
    /// 1 or -1.
    Rademacher,
    /// Numbers of a distribution.
    Distributed(Distribution),
    /// Normal numbers between two bounds.
    TruncatedNormal,
    /// One of several outcomes, by its number.
    Categorical,
    /// Elements in another order.
    Permutation,
    /// Some of several.
    Choice,
}

const fn param(name: &'static str, role: Role, default: Option<&'static str>) -> Param {
    Param { name, role, default }
}

const KEY: Param = param("key", Role::Key, None);
const SHAPE: Param = param("shape", Role::Shape, Some("()"));
const DTYPE: Param = param("dtype", Role::DType, Some("None"));

const SEED: &[Param] = &[param("seed", Role::Filling, None)];
const SPLIT: &[Param] = &[KEY, param("num", Role::Shape, Some("2"))];
const FOLD: &[Param] = &[KEY, param("data", Role::Filling, None)];
const PLAIN: &[Param] = &[KEY, SHAPE, DTYPE];
const BOUNDED: &[Param] =
    &[KEY, SHAPE, DTYPE, param("minval", Role::Filling, Some("0.0")), param("maxval", Role::Filling, Some("1.0"))];
const INTEGERS: &[Param] = &[
    KEY,
    param("shape", Role::Shape, None),
    param("minval", Role::Filling, None),
    param("maxval", Role::Filling, None),
    DTYPE,
];
const CHANCE: &[Param] = &[KEY, param("p", Role::Filling, Some("0.5")), param("shape", Role::Shape, Some("None"))];

const TRUNCATED: &[Param] = &[
    KEY,
    param("lower", Role::Filling, None),
    param("upper", Role::Filling, None),
    param("shape", Role::Shape, Some("None")),
    DTYPE,
];
const AXIS: Param = param("axis", Role::Axis, Some("0"));
const ORDERED: &[Param] =
    &[KEY, param("x", Role::Elements, None), AXIS, param("independent", Role::Flag, Some("false"))];
const CHOSEN: &[Param] = &[
    KEY,
    param("a", Role::Elements, None),
    SHAPE,
    param("replace", Role::Flag, Some("true")),
    param("p", Role::Filling, Some("None")),
    AXIS,
];
const LOGITS: &[Param] = &[
    KEY,
    param("logits", Role::Filling, None),
    param("axis", Role::Axis, Some("-1")),
    param("shape", Role::Shape, Some("None")),
];

const fn draw(name: &'static str, params: &'static [Param], draw: Draw) -> Op {
    row(name, params, Class::Selection, Form::Random(draw))
}

const fn distribution(name: &'static str, distribution: Distribution) -> Op {
    draw(name, PLAIN, Draw::Distributed(distribution))
}

/// The rows.
pub(super) static ROWS: &[Op] = &[
    Op {
        summary: "the key of a number, from which random numbers are drawn",
        special: "A key is a `u32[2]`: the upper and the lower half of the number. The same key gives the same numbers, \
                  those of JAX, wherever and however it runs; take another key for other numbers",
        examples: &[("random.key(7)", "[0, 7]"), ("random.key(-1)", "[4294967295, 4294967295]")],
        ..draw("random.key", SEED, Draw::Key)
    },
    Op {
        summary: "keys of a key, two unless `num` says how many",
        special: "`num` may be a shape. What is drawn from the key itself and from the new ones does not go together: after \
                  a split use those",
        examples: &[("random.split(random.key(0))", "[[1797259609, 2579123966], [928981903, 3453687069]]")],
        ..draw("random.split", SPLIT, Draw::Split)
    },
    Op {
        summary: "the key of a key and a number, such as the number of a step",
        special: "",
        examples: &[("random.fold_in(random.key(0), 3)", "[2467461003, 3840466878]")],
        ..draw("random.fold_in", FOLD, Draw::FoldIn)
    },
    Op {
        summary: "the two words of a key: the key itself",
        special: "",
        examples: &[("random.key_data(random.key(7))", "[0, 7]")],
        ..draw("random.key_data", &[KEY], Draw::KeyData)
    },
    Op {
        summary: "random bits as an unsigned integer",
        special: "Its dtype is the unsigned one as wide as the system's default integer unless `dtype` is given",
        examples: &[("random.bits(random.key(0), 2, u8)", "[167, 146]")],
        ..draw("random.bits", PLAIN, Draw::Bits)
    },
    Op {
        summary: "random numbers from `minval` on and below `maxval`, all equally likely",
        special: "Its dtype is the system's default float unless `dtype` is given. `minval` where it is not the smaller one",
        examples: &[("random.uniform(random.key(0), 2, f32)", "[0.947667, 0.9785799]")],
        ..draw("random.uniform", BOUNDED, Draw::Uniform)
    },
    Op {
        summary: "random integers from `minval` on and below `maxval`, all equally likely",
        special: "Its dtype is the system's default integer unless `dtype` is given; bounds outside of it mean its ends. \
                  `minval` where it is not the smaller one. Spans near the size of the dtype are a little uneven, as in JAX",
        examples: &[("random.randint(random.key(0), 5, 0, 10, i32)", "[9, 0, 2, 3, 1]")],
        ..draw("random.randint", INTEGERS, Draw::Integers)
    },
    Op {
        summary: "true with probability `p`",
        special: "Without `shape` there is one for each element of `p`",
        examples: &[("random.bernoulli(random.key(0), 0.3, 4)", "[false, true, false, false]")],
        ..draw("random.bernoulli", CHANCE, Draw::Bernoulli)
    },
    Op {
        summary: "1 or -1, both equally likely",
        special: "Its dtype is the system's default integer unless `dtype` is given",
        examples: &[("random.rademacher(random.key(0), 3, i32)", "[1, 1, -1]")],
        ..draw("random.rademacher", PLAIN, Draw::Rademacher)
    },
    Op {
        summary: "numbers of the normal distribution, with mean 0 and variance 1",
        special: "Its dtype is the system's default float unless `dtype` is given. A complex number has half of the variance in \
                  each part",
        examples: &[("random.normal(random.key(0), 2, f32)", "[1.6226422, 2.0252647]")],
        ..distribution("random.normal", Distribution::Normal)
    },
    Op {
        summary: "numbers of the exponential distribution, with mean 1",
        special: "",
        examples: &[("random.exponential(random.key(0), 2, f32)", "[2.950128, 3.8434246]")],
        ..distribution("random.exponential", Distribution::Exponential)
    },
    Op {
        summary: "numbers of the Gumbel distribution",
        special: "As -log(-log(u)) of even numbers",
        examples: &[("random.gumbel(random.key(0), 2, f32)", "[2.9233725, 3.8326178]")],
        ..distribution("random.gumbel", Distribution::Gumbel)
    },
    Op {
        summary: "numbers of the Laplace distribution, with mean 0 and scale 1",
        special: "",
        examples: &[("random.laplace(random.key(0), 2, f32)", "[-2.2569816, -3.1502788]")],
        ..distribution("random.laplace", Distribution::Laplace)
    },
    Op {
        summary: "numbers of the logistic distribution, with mean 0 and scale 1",
        special: "",
        examples: &[("random.logistic(random.key(0), 2, f32)", "[2.896376, 3.8217716]")],
        ..distribution("random.logistic", Distribution::Logistic)
    },
    Op {
        summary: "numbers of the Cauchy distribution",
        special: "",
        examples: &[("random.cauchy(random.key(0), 2)", "[-0.2619295066536063, -1.2378460184296847]")],
        ..distribution("random.cauchy", Distribution::Cauchy)
    },
    Op {
        summary: "normal numbers above `lower` and below `upper`",
        special: "In f32 or f64. Without `shape` there is one for each element of the bounds",
        examples: &[("random.truncated_normal(random.key(0), -1, 1, 2, f32)", "[0.8618594, 0.9412883]")],
        ..draw("random.truncated_normal", TRUNCATED, Draw::TruncatedNormal)
    },
    Op {
        summary: "the elements along `axis` in random order, or the numbers below x",
        special: "Rows stay together, unless `independent` puts each line in an order of its own",
        examples: &[
            ("random.permutation(random.key(0), 5)", "[0, 1, 4, 3, 2]"),
            ("random.permutation(random.key(1), [[1, 2], [3, 4], [5, 6]])", "[[5, 6], [1, 2], [3, 4]]"),
        ],
        ..draw("random.permutation", ORDERED, Draw::Permutation)
    },
    Op {
        summary: "elements along `axis`, or numbers below a, as many as the shape has",
        special: "With `replace=false` none is taken twice. `p` are their probabilities, otherwise they are equally likely",
        examples: &[
            ("random.choice(random.key(0), [10.0, 20.0, 30.0], 5)", "[10.0, 30.0, 30.0, 30.0, 10.0]"),
            ("random.choice(random.key(0), 4, 3, replace=false)", "[0, 1, 3]"),
        ],
        ..draw("random.choice", CHOSEN, Draw::Choice)
    },
    Op {
        summary: "positions along `axis`, drawn with the probabilities of `softmax(logits, axis)`",
        special: "Without `shape` there is one for each line; its last lengths are those of the lines",
        examples: &[("random.categorical(random.key(7), f32([0, 1, 2]), shape=5)", "[1, 2, 1, 2, 2]")],
        ..draw("random.categorical", LOGITS, Draw::Categorical)
    },
];
