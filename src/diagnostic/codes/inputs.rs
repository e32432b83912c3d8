//! Codes E0501 to E0509, E0530 to E0536: inputs, runs, and what is not there yet.

use super::{ERROR, Row, rows, run, script, unshown};

rows! {
    /// What does not exist yet.
    NOT_SUPPORTED = Row {
        id: "E0501",
        name: "not-supported",
        summary: "something that arr does not do yet",
        levels: ERROR,
        page: "The name or the notation is known, and this version does not do it. The help says what to write meanwhile, if there is something. The changelog says what came when.",
        failing: script("let x = [1.0, 2.0]\neinsum_path(\"i,i\", x, x)"),
        corrected: script("let x = [1.0, 2.0]\neinsum(\"i,i\", x, x)"),
    };
    /// An input without data.
    MISSING_INPUT = Row {
        id: "E0502",
        name: "missing-input",
        summary: "an input that is given no value",
        levels: ERROR,
        page: "Every input needs a value on the command line, `NAME=FILE` or `NAME=NUMBER`, or a default in the script.",
        failing: run("input x: f32\nx + 1", &["--mode=all"]),
        corrected: run("input x: f32\nx + 1", &["x=1"]),
    };
    /// Data whose dtype is not the declared one.
    INPUT_DTYPE = Row {
        id: "E0503",
        name: "input-dtype",
        summary: "data whose dtype is not the declared one",
        levels: ERROR,
        page: "A declared dtype is a promise that the rest of the script relies on; data is never converted silently. Declare the dtype of the data and cast in the script, or convert the file.",
        failing: run("input x: f32\nx + 1", &["x=1.5f64"]),
        corrected: run("input x: f32\nx + 1", &["x=1.5"]),
    };
    /// Data whose shape is not the declared one.
    INPUT_SHAPE = Row {
        id: "E0504",
        name: "input-shape",
        summary: "data whose shape is not the declared one",
        levels: ERROR,
        page: "Lengths must agree with the declaration; a name has one size everywhere in the script.",
        failing: run("input x: f32[3]\nx + 1", &["x=[1, 2]"]),
        corrected: run("input x: f32[2]\nx + 1", &["x=[1, 2]"]),
    };
    /// A value for an input that the script does not have.
    NO_SUCH_INPUT = Row {
        id: "E0505",
        name: "no-such-input",
        summary: "a value for an input that the script does not have",
        levels: ERROR,
        page: "Names on the command line are those of the script's `input` lines.",
        failing: run("input gain: f32 = 2\ngain + 1", &["gian=1"]),
        corrected: run("input gain: f32 = 2\ngain + 1", &["gain=1"]),
    };
    /// Data outside the range that its input declares.
    OUT_OF_RANGE = Row {
        id: "E0506",
        name: "out-of-range",
        summary: "data outside the range that its input declares",
        levels: ERROR,
        page: "`in [LO, HI]` is checked when data is bound, in every mode; NaN is outside of every range.",
        failing: run("input x: f32 in [0, 1]\nx + 1", &["x=2"]),
        corrected: run("input x: f32 in [0, 1]\nx + 1", &["x=0.5"]),
    };
    /// A type with `_` or `[..]` that nothing completes.
    OPEN_TYPE = Row {
        id: "E0507",
        name: "open-type",
        summary: "a type with `_` or `[..]` that nothing completes",
        levels: ERROR,
        page: "Without data the checker needs the whole type: give it with `NAME:TYPE` on the command line, or write it in the script. A name in a type has the size that data gives it: a run needs data for each.",
        failing: script("input x: f32[..]\nx + 1"),
        corrected: script("input x: f32[n]\nx + 1"),
    };
    /// Two inputs, or two outputs, of one name.
    DECLARED_TWICE = Row {
        id: "E0508",
        name: "declared-twice",
        summary: "two inputs, or two outputs, of one name",
        levels: ERROR,
        page: "The inputs and outputs of a script are what others know of it, each by its name: `x=3` on the command line is one input, `-o y=y.npy` one output. `let` and `var` may use a name again, and an output may have the name of an input.",
        failing: script("let x = 2\noutput y = x\noutput y = x * x"),
        corrected: script("let x = 2\noutput y = x\noutput square = x * x"),
    };
    /// Values on the command line that need each other.
    VALUE_CYCLE = Row {
        id: "E0509",
        name: "value-cycle",
        summary: "values on the command line that need each other",
        levels: ERROR,
        page: "The value of a name may use other names that have values on the command line. None may need itself, directly or by way of others: `x=y+1 y=x-1` gives neither a value.",
        failing: unshown(),
        corrected: unshown(),
    };
    /// A run that was interrupted.
    INTERRUPTED = Row {
        id: "E0530",
        name: "interrupted",
        summary: "a run that was interrupted",
        levels: ERROR,
        page: "Ctrl-C stops a run; nothing is written and, in the REPL, no name is bound.",
        failing: unshown(),
        corrected: unshown(),
    };
    /// A mistake of arr itself.
    INTERNAL = Row {
        id: "E0531",
        name: "internal-error",
        summary: "a mistake of arr itself",
        levels: ERROR,
        page: "This is a bug in arr, not in your program. Please report it with the script that shows it.",
        failing: unshown(),
        corrected: unshown(),
    };
    /// Integer arithmetic that wrapped, under --checked.
    OVERFLOW = Row {
        id: "E0532",
        name: "overflow",
        summary: "integer arithmetic that wrapped, under --checked",
        levels: ERROR,
        page: "With `--checked`, integer results that do not fit their dtype are errors that name the first element: of arithmetic, and of sums and products of many elements. Of these the exact result counts, not the steps to it. A power with a negative exponent is a fraction, and so an error too. Without it they wrap.",
        failing: run("input x: i32[3]\nx * 2", &["x=[1, 100, 2000000000]", "--checked"]),
        corrected: run("input x: i32[3]\nx * 2", &["x=[1, 100, 1000000000]", "--checked"]),
    };
    /// An integer division by zero, under --checked.
    DIVISION_BY_ZERO = Row {
        id: "E0533",
        name: "divided-by-zero",
        summary: "an integer division by zero, under --checked",
        levels: ERROR,
        page: "With `--checked`, an integer divided by zero is an error that names the first element. Without it the result is 0.",
        failing: run("input x: i32[2]\n7 // x", &["x=[2, 0]", "--checked"]),
        corrected: run("input x: i32[2]\n7 // x", &["x=[2, 1]", "--checked"]),
    };
    /// A cast that changed a value, under --checked.
    LOSSY_CAST = Row {
        id: "E0534",
        name: "lossy-cast",
        summary: "a cast that changed a value, under --checked",
        levels: ERROR,
        page: "With `--checked`, a cast that does not keep a value is an error that names the first element. A length that data decides has to fit the dtype that it meets, as a literal has to, with and without `--checked`.",
        failing: run("input x: i32[2]\nu8(x)", &["x=[255, 256]", "--checked"]),
        corrected: run("input x: i32[2]\nu8(x)", &["x=[254, 255]", "--checked"]),
    };
    /// A function whose library this build does not have.
    NOT_BUILT = Row {
        id: "E0535",
        name: "not-built",
        summary: "a function of a library that this `arr` was built without",
        levels: ERROR,
        page: "Fourier transforms come with the feature `fft`, linear algebra with `linalg`. A script that calls them is checked by every `arr`, and runs by one that has the feature: \
               `cargo install --path . --features linalg`.",
        failing: unshown(),
        corrected: unshown(),
    };
    /// A matrix that has no inverse, or no factor.
    UNFIT_MATRIX = Row {
        id: "E0536",
        name: "unfit-matrix",
        summary: "a matrix that is singular, or not positive definite",
        levels: ERROR,
        page: "`linalg.solve` and `linalg.inv` divide by pivots, and one of them is exactly 0; `linalg.cholesky` takes the square root of pivots, and \
               one of them is not positive. Rounding hides most singular matrices: `linalg.cond(a)` says how far a is from one. \
               `linalg.pinv` and `linalg.lstsq` have an answer for every matrix.",
        failing: unshown(),
        corrected: unshown(),
    };
}
