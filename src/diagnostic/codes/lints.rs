//! Codes of findings about legal code that is seldom meant: precedence, names, accumulators, suppressions.

use super::{Level, Row, WARNING, rows, run, script};

/// Levels of what only those hear who ask: pedantic findings.
const PEDANTIC: [Level; 3] = [Level::Allow; 3];

rows! {
    /// A bitwise operator between comparisons, which bind more loosely.
    BITWISE_PRECEDENCE = Row {
        id: "E0124",
        name: "bitwise-precedence",
        summary: "a bitwise operator that binds more tightly than the comparisons around it",
        levels: WARNING,
        about: "names and notation",
        page: "Comparisons bind more loosely than `& | ^`, as in Python: `a > 0 & b > 0` is the chain `a > (0 & b) > 0`. Put each comparison in parentheses, or write `and`, which binds more loosely than comparisons. `flags & 4 == 0` is `(flags & 4) == 0` and is not reported.",
        failing: script("input a: i32[n]\ninput b: i32[n]\na > 0 & b > 0"),
        corrected: script("input a: i32[n]\ninput b: i32[n]\na > 0 and b > 0"),
    };
    /// An exclusive or where a power is likely meant.
    XOR_AS_POWER = Row {
        id: "E0125",
        name: "xor-as-power",
        summary: "`^` of integers where a power is likely meant",
        levels: WARNING,
        about: "names and notation",
        page: "`^` is the exclusive or of bits, as in Python and C: `2 ^ 3` is 1, and the power `2 ** 3` is 8. Reported are `2 ^ n`, `10 ^ n`, `x ^ 2` and `x ^ 3` of integers, where the number is written in decimal digits; a name for a number does not count as one. Of two written numbers only `2 ^ 8` and `10 ^ 8` are, as `7 ^ 2` is. Where bits are meant, write one of the numbers in binary, octal or hexadecimal digits, as in `x ^ 0b10`. Of floats `^` is an error.",
        failing: run("2 ^ 10", &["--mode", "all"]),
        corrected: run("2 ** 10", &["--mode", "all"]),
    };
    /// A list of one number times an integer.
    LIST_REPETITION = Row {
        id: "E0126",
        name: "list-repetition",
        summary: "a list of one number times an integer, where a longer list is likely meant",
        levels: WARNING,
        about: "names and notation",
        page: "In Python `[0.25]*n` is a list of n elements. Here a list is an array, and `*` multiplies: `[0.25]*4` is `[1.0]`, which broadcasts against whatever it meets. Write `full(n, 0.25)` for n elements. Where the product is meant, write it inside, `[0.25*n]`, or without the brackets. Reported are lists of one written number times an integer that is no array.",
        failing: run("let n = 4\nlet w = [0.25]*n\nsum(w * [1.0, 2, 3, 4])", &["--mode", "all"]),
        corrected: run("let n = 4\nlet w = full(n, 0.25)\nsum(w * [1.0, 2, 3, 4])", &["--mode", "all"]),
    };
    /// A name that hides a builtin.
    SHADOWED_BUILTIN = Row {
        id: "E0217",
        name: "shadowed-builtin",
        summary: "a name that hides a builtin",
        levels: WARNING,
        about: "names and notation",
        page: "From this definition on the name no longer stands for the builtin: after `let sum = 3` a call `sum(x)` is an error. Choose another name. Outputs may be called like builtins, and so may inputs, parameters, states and counters of loops, and names in their bodies, where nothing is called by that name. Scripts and what a session defines are looked at, not expressions.",
        failing: run("let sum = 3\nsum + 1", &["--mode", "all"]),
        corrected: run("let total = 3\ntotal + 1", &["--mode", "all"]),
    };
    /// A definition that nothing uses.
    UNUSED_BINDING = Row {
        id: "E0218",
        name: "unused-binding",
        summary: "a definition that nothing uses",
        levels: WARNING,
        about: "names and notation",
        page: "Nothing reads this `let`, `var` or function before the script ends or the name is defined anew: it is left over, or another name was meant. Remove it, or begin its name with `_` to say that it is meant. Inputs, outputs, parameters and parts of a tuple of which another part is used are not reported, and neither is anything in a file that prints and outputs nothing: other files use that one. Only whole scripts are looked at, not expressions and the REPL.",
        failing: run("let scale = 3\nlet offset = 1\nscale * 2", &["--mode", "all"]),
        corrected: run("let scale = 3\nlet offset = 1\nscale * 2 + offset", &["--mode", "all"]),
    };
    /// A suppression that silences nothing.
    UNUSED_SUPPRESSION = Row {
        id: "E0219",
        name: "unused-suppression",
        summary: "a suppression that silences nothing",
        levels: WARNING,
        about: "comments",
        page: "`# arr: allow(NAME)` at the end of a line silences the findings of that name on the line, or in the statement that begins or ends there. This one silences nothing: what it was for is gone, its name is misspelled, or it stands on a line of its own. A finding that is allowed everywhere counts as silenced.",
        failing: script("input x: f32[n]\nx * 2  # arr: allow(precision-loss)"),
        corrected: script("input x: i32[n]\ninput y: f32[n]\nx * y  # arr: allow(precision-loss)"),
    };
    /// A call that changes no array, though it does in NumPy.
    UNCHANGED_ARRAY = Row {
        id: "E0220",
        name: "unchanged-array",
        summary: "a call, or a store in a view, that changes an array in NumPy and not here",
        levels: WARNING,
        about: "names and notation",
        page: "In NumPy `y.sort()` sorts `y` itself. No call changes an array here: it gives a new one, and as a statement of its own that is printed and lost, while what follows reads `y` as it was. Give the result a name: `y = sort(y)` of a variable, `let z = sort(y)` else. So are `y.partition`, `y.append`, `putmask`, `put_along_axis`, `add_at` and its like. A slice is a value of its own too: after `var s = y[1:3]` a store in `s` leaves `y` as it was, where NumPy's `s` is a view. So are `var s = y`, a row as `y[0]`, and `y.T`. It is reported where a later statement takes the elements of `y`, not its shape alone, unless `y[1:3]` or `y[:]` has other values by then, as in `y[1:3] = s`, or a statement takes both; `var s = y[1:3].copy()` says that a copy is meant. Of `var s = y` and `y.T` the reverse is reported too, a store in `y` before `s` is read. Only a `var` that is made with another `var` of the same block is looked at, not one element of a vector, or a `let`. In bodies a store without brackets, as `s += 1`, counts for slices alone. The last statement of a script is not reported: nothing follows it. Only whole scripts are looked at, not expressions and the REPL.",
        failing: run("var y = [3, -1, 2]\ny.sort()\ny[0]", &["--mode", "all"]),
        corrected: run("var y = [3, -1, 2]\ny = sort(y)\ny[0]", &["--mode", "all"]),
    };
    /// A line that only seems to go on with the one above.
    LEADING_SIGN = Row {
        id: "E0221",
        name: "leading-sign",
        summary: "a line that begins with a sign and is a statement of its own",
        levels: WARNING,
        about: "names and notation",
        page: "A statement ends with its line, unless the line ends with an operator or a bracket is open. So `let y = a` followed by `+ b` defines `y` as `a` alone, and prints `b`. End the line above with the operator, or put the whole in parentheses, as in Python. Reported is a statement, or the last line of a body, that begins with a `+`, with a `-` and a blank, or with a `-` that is indented further, on the line below a value. Where such a value is meant, write it without the blank, `-b`, or in parentheses. Only whole scripts are looked at, not expressions and the REPL.",
        failing: run("let a = 3\nlet b = 4\nlet y = a\n+ b\ny", &["--mode", "all"]),
        corrected: run("let a = 3\nlet b = 4\nlet y = a +\n  b\ny", &["--mode", "all"]),
    };
    /// Sums and products in a dtype that is soon too narrow.
    NARROW_ACCUMULATION = Row {
        id: "E0313",
        name: "narrow-accumulation",
        summary: "a sum or product in a dtype that is soon too narrow for it",
        levels: WARNING,
        about: "integers that wrap, or divide by zero",
        page: "Sums and products grow with the number of elements. `cumsum` keeps the dtype of its operand, so that of a `u8` wraps after a few elements; in `sum(a * b)` the sum is wide and the products, which are computed before it, are not; a sum in `f16` is infinite above 65504. Integers of 8 and 16 bits are reported unless declared ranges and known lengths prove that every result fits. Integers of 32 and 64 bits are reported where ranges are stated and the result may not fit: a sum of a known number of them, a product of several, and what literals and `arange` come to. Convert before accumulating: `cumsum(i64(x))`, `sum(i64(a) * b)`. Where wrapping is meant, a cast to as many bits straight around the total says so, `u8(cumsum(x))`, and so does a mask, `cumsum(x) & 15`; a total whose dtype is asked for, `sum(x, dtype=u8)`, is reported all the same. Means of f16 and bf16 are accumulated in f32.",
        failing: script("input x: u8[n]\ncumsum(x)"),
        corrected: script("input x: u8[n]\ncumsum(i64(x))"),
    };
    /// The negative of an unsigned integer.
    UNSIGNED_NEGATION = Row {
        id: "E0314",
        name: "unsigned-negation",
        summary: "the negative of an unsigned integer, which wraps",
        levels: WARNING,
        about: "integers that wrap, or divide by zero",
        page: "No unsigned dtype has negative values: `-x` of a `u8` is `256 - x`, unless it is 0. Convert to a signed dtype that holds it, `-i16(x)`. Where `x & -x` is meant, the lowest bit that is set, nothing is reported, nor where a cast or a mask straight around says that wrapping is meant: `u8(-x)`.",
        failing: script("input x: u8[n]\n-x"),
        corrected: script("input x: u8[n]\n-i16(x)"),
    };
    /// Computed floats compared for equality.
    FLOAT_EQUALITY = Row {
        id: "E0315",
        name: "float-equality",
        summary: "floats compared for equality (pedantic)",
        levels: PEDANTIC,
        about: "pedantic: allowed unless asked for",
        page: "Two floats that are computed in different ways are seldom equal to the last bit: `0.1 + 0.2 == 0.3` is false. Write `isclose(x, y)`, which has tolerances. Comparisons with 0 and the infinities, of a value with itself, and of whole numbers are exact questions and are not reported. Allowed unless asked for: `--warn float-equality`.",
        failing: run("input x: f64[2] = [0.1, 0.2]\nx + 0.2 == 0.3", &["--warn", "float-equality"]),
        corrected: run("input x: f64[2] = [0.1, 0.2]\nisclose(x + 0.2, 0.3)", &["--warn", "float-equality"]),
    };
    /// An f64 that nobody wrote.
    F64_APPEARS = Row {
        id: "E0316",
        name: "f64-appears",
        summary: "values of 32 bits or fewer that become f64 although nobody wrote f64",
        levels: WARNING,
        about: "literals, defaults, and integers that become floats",
        page: "`zeros(n)`, `ones(n)`, `eye(n)`, `linspace(0, 1, n)` and `arange` of floats are f64 where nothing says otherwise; so are array literals, quotients and means of integers in some systems. Where such a value meets narrower ones, the result is f64 too: from here on memory and time double, and some accelerators have no such dtype. Reported is the first place where that happens to each of them. Write `zeros(n, dtype=f32)`, or `f64(x)` to say that it is meant. A program without narrower values is not reported, and neither is a reduction that is compared or cast at once: `v > 2*mean(v)`, `i16(mean(v))`.",
        failing: script("input x: f32[n]\nx + zeros(n)"),
        corrected: script("input x: f32[n]\nx + zeros(n, dtype=f32)"),
    };
    /// A mean of integers, which is a float.
    FLOAT_MEAN_OF_INT = Row {
        id: "E0317",
        name: "float-mean-of-int",
        summary: "a mean or variance of integers, which becomes a float (pedantic)",
        levels: PEDANTIC,
        about: "pedantic: allowed unless asked for",
        page: "Means, variances and deviations of integers are floats, of a width that the promotion system chooses: f32 under `jax`, f64 under `numpy`. Convert first, `mean(f64(x))`, and the dtype is the same everywhere. Means of `bool`, which are shares, are not reported. Allowed unless asked for: `--warn float-mean-of-int`.",
        failing: run("input x: u8[2] = [1, 2]\nmean(x)", &["--warn", "float-mean-of-int"]),
        corrected: run("input x: u8[2] = [1, 2]\nmean(f64(x))", &["--warn", "float-mean-of-int"]),
    };
    /// An integer divided by zero.
    DIVISION_BY_ZERO = Row {
        id: "E0318",
        name: "division-by-zero",
        summary: "an integer divided by what is zero, or can be by a stated range",
        levels: WARNING,
        about: "integers that wrap, or divide by zero",
        page: "Integers have no infinity and no not-a-number: `x // 0` and `x % 0` are 0, in every dtype, and nothing tells that result from a true 0. Reported is a divisor that is always 0, and one whose declared range, mask or remainder lets it be 0. State a range that begins at 1, divide by `maximum(d, 1)`, or write `where(d != 0, x // d, 0)`, which says what is meant. `--checked` finds the element when the program runs.",
        failing: script("input x: i32[n]\ninput d: i32[n] in [0, 9]\nx // d"),
        corrected: script("input x: i32[n]\ninput d: i32[n] in [1, 9]\nx // d"),
    };
    /// Random numbers drawn from a key twice.
    REUSED_KEY = Row {
        id: "E0319",
        name: "reused-key",
        summary: "random numbers drawn from a key that was drawn from before",
        levels: WARNING,
        about: "random numbers",
        page: "The same key gives the same random numbers: two arrays that are drawn from one key are equal, or parts of the same sequence of bits, where independent ones are meant. Make several keys of one, `let keys = random.split(key, 3)`, and draw from each once; what was split is not drawn from any more. `random.fold_in(key, number)` makes keys of one key without an end, and the key may be folded in again. In a loop, a key that no step changes gives the same numbers in every step. Two calls of a function that draws from the key that it is given draw from it twice. A key that is made in place, `random.uniform(random.key(0), 3)`, is not reported, unless each step of a loop makes it of one key with a name.",
        failing: script("let key = random.key(0)\nrandom.uniform(key, 3) - random.uniform(key, 3)"),
        corrected: script("let keys = random.split(random.key(0))\nrandom.uniform(keys[0], 3) - random.uniform(keys[1], 3)"),
    };
    /// Words averaged, added or ordered by their codes.
    WORDS_AS_NUMBERS = Row {
        id: "E0336",
        name: "words-as-numbers",
        summary: "words that are added, averaged or put in order, which their codes are instead",
        levels: WARNING,
        about: "files",
        page: "A column of words is read as codes, numbers that count the words in order of appearance. So `mean`, `median` and `sum` of them say nothing about the words, and `sort` and `argsort` put them in the order of their first appearance, not of the alphabet. Compare words with `==`, list them with `unique`, and group by them with `segment_sum` and its kin. Where the codes are meant, `i64(symbol)` says so: it gives numbers behind which no words are. `min` and `max` are not reported: `max(symbol) + 1` is how many words there are.",
        failing: script("input symbol: words[n]\nsort(symbol)"),
        corrected: script("input symbol: words[n]\nunique(symbol)"),
    };
}
