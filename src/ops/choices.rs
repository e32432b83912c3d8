//! Elements chosen among several arrays: written in the language.

use super::{Op, Param, Role, Way, operand, way, written};

const fn arrays(name: &'static str) -> Param {
    Param { name, role: Role::Arrays, default: None }
}

const fn fillings(name: &'static str) -> Param {
    Param { name, role: Role::Fillings, default: None }
}

const MODE: Param = Param { name: "mode", role: Role::Text, default: Some("\"raise\"") };

/// The number of each element, and after it one part over the other.
const CHOSEN: &str = "{
  let parts = $parts
  assert isdtype(i.dtype, (\"bool\", \"integral\"))  # `choose` counts its choices with integers
  assert all((i64(i) >= 0) | (i < 0))  # a number of `choose` is outside of its choices
  let at = take(arange(parts.shape[0], dtype=i64), i64(i), mode=\"$mode\")
  repeat parts.shape[0] - 1 as k with y = where(at == 0, parts[0], parts[0]) {
    where(at == k + 1, parts[k + 1], y)
  }
}";

/// How a number outside of the choices is taken, each with the parts of the choices.
const RAISED: &[(&str, &str)] = &[("parts", "choices"), ("mode", "raise")];
const WRAPPED: &[(&str, &str)] = &[("parts", "choices"), ("mode", "wrap")];
const CLIPPED: &[(&str, &str)] = &[("parts", "choices"), ("mode", "clip")];
const LIST_RAISED: &[(&str, &str)] = &[("parts", STACKED_CHOICES), ("mode", "raise")];
const LIST_WRAPPED: &[(&str, &str)] = &[("parts", STACKED_CHOICES), ("mode", "wrap")];
const LIST_CLIPPED: &[(&str, &str)] = &[("parts", STACKED_CHOICES), ("mode", "clip")];
const STACKED_CHOICES: &str = "stack(broadcast_arrays(choices))";

/// Each mode is a way of its own, so that another word is refused where it stands.
static CHOOSE: &[Way] = &[
    way("i, choices[]", CHOSEN).with(RAISED),
    way("i, choices[], mode=\"raise\"", CHOSEN).with(RAISED),
    way("i, choices[], mode=\"wrap\"", CHOSEN).with(WRAPPED),
    way("i, choices[], mode=\"clip\"", CHOSEN).with(CLIPPED),
    way("i, choices[,]", CHOSEN).with(RAISED),
    way("i, choices[,], mode=\"raise\"", CHOSEN).with(RAISED),
    way("i, choices[,], mode=\"wrap\"", CHOSEN).with(WRAPPED),
    way("i, choices[,], mode=\"clip\"", CHOSEN).with(CLIPPED),
    way("i, choices[,,]", CHOSEN).with(RAISED),
    way("i, choices[,,], mode=\"raise\"", CHOSEN).with(RAISED),
    way("i, choices[,,], mode=\"wrap\"", CHOSEN).with(WRAPPED),
    way("i, choices[,,], mode=\"clip\"", CHOSEN).with(CLIPPED),
    way("i, choices", CHOSEN).with(LIST_RAISED),
    way("i, choices, mode=\"raise\"", CHOSEN).with(LIST_RAISED),
    way("i, choices, mode=\"wrap\"", CHOSEN).with(LIST_WRAPPED),
    way("i, choices, mode=\"clip\"", CHOSEN).with(LIST_CLIPPED),
];

/// The rows.
pub(super) static ROWS: &[Op] = &[
    Op {
        summary: "for each element one of several arrays, by its number",
        special: "The choices are arrays in a tuple or a list, or the parts of an array along its first axis. They and \
                  `i` broadcast, and the choices are promoted to one dtype. Negative numbers count from the end. A \
                  number outside is an error; with `mode=\"wrap\"` it is taken modulo their number, with \"clip\" it \
                  is the first or the last",
        examples: &[
            ("choose([1, 0, 1], ([1, 2, 3], 9))", "[9, 2, 9]"),
            ("choose([0, 3], ([1, 2], [3, 4]), mode=\"clip\")", "[1, 4]"),
        ],
        ..written("choose", &[operand("i"), arrays("choices"), MODE], CHOOSE)
    },
    Op {
        summary: "for each element the choice of the first condition that holds",
        special: "Conditions are arrays of bools in a tuple or a list, and there is a choice for each. Where none holds \
                  it is `default`. All broadcast, and the choices and `default` are promoted to one dtype",
        examples: &[
            ("select(([1, 5, 9] > 6, [1, 5, 9] > 3), (2, 1))", "[0, 1, 2]"),
            ("select(([1, 5] > 3,), ([10, 20],), -1)", "[-1, 20]"),
        ],
        ..written(
            "select",
            &[
                arrays("conditions"),
                arrays("choices"),
                Param { name: "default", role: Role::Operand, default: Some("0") },
            ],
            &[way(
                "conditions, choices, default?",
                "{
  let masks = stack(broadcast_arrays(conditions))
  assert isdtype(masks.dtype, \"bool\")  # the conditions of `select` are bools
  let parts = astype(stack(broadcast_arrays(choices)), result_type(choices, default))
  assert masks.shape[0] == parts.shape[0]  # `select` takes as many choices as conditions
  let last = parts.shape[0] - 1
  let first = where(masks[0], parts[0], default)
  repeat parts.shape[0] as k with y = astype(broadcast_to(default, first.shape), first.dtype) {
    where(masks[last - k], parts[last - k], y)
  }
}",
            )],
        )
    },
    Op {
        summary: "for each element of x the value of the last condition that holds",
        special: "Conditions are arrays of bools in a tuple or a list. There is a value for each: a number, or an array \
                  beside x, as `-x` is where NumPy takes a function. Where none holds it is 0, or one value more. \
                  Values take the dtype of x",
        examples: &[
            ("piecewise([-2, 0, 5], ([-2, 0, 5] < 0, [-2, 0, 5] > 2), (-1, 1))", "[-1, 0, 1]"),
            ("piecewise([1.0, 5.0], ([1.0, 5.0] > 3,), (2, -1))", "[-1.0, 2.0]"),
        ],
        ..written(
            "piecewise",
            &[operand("x"), arrays("conditions"), fillings("values")],
            &[way(
                "x, conditions, values",
                "{
  let masks = stack(broadcast_arrays(conditions))
  assert isdtype(masks.dtype, \"bool\")  # the conditions of `piecewise` are bools
  let parts = stack(broadcast_arrays(values))
  let (count, given) = (masks.shape[0], parts.shape[0])
  assert given == count or given == count + 1  # `piecewise` takes as many values as conditions, or one more
  let rest = take(concat([parts, zeros_like(parts[:1])]), count, axis=0, mode=\"clip\")
  repeat count as k with y = astype(broadcast_to(rest, x.shape), x.dtype) {
    where(masks[k], astype(parts[k], x.dtype), y)
  }
}",
            )],
        )
    },
];
