//! Codes E044x: loops.

use super::{ERROR, Row, rows, script};

rows! {
    /// A count, a condition or an axis that a loop cannot use.
    LOOP_HEAD = Row {
        id: "E0440",
        name: "loop-head",
        summary: "a count, a condition or a state that a loop cannot begin with",
        levels: ERROR,
        page: "A loop is `repeat COUNT with NAME = START { … }`. The count is one integer, and may depend on data; `as t` names \
               the number of the step, and `while` says what must hold before it. Each state has a name of its own.",
        failing: script("repeat 2.5 with x = 1.0 { x / 2 }"),
        corrected: script("repeat 2 with x = 1.0 { x / 2 }"),
    };
    /// A state whose dtype or shape a step changes.
    LOOP_STATE = Row {
        id: "E0441",
        name: "loop-state",
        summary: "a state whose dtype or shape a step changes",
        levels: ERROR,
        page: "What a loop carries keeps its dtype and its shape through all steps, so that its type is known whatever the number \
               of steps. A start that is a literal takes the dtype that the body gives it. Convert in the body, or begin with \
               the wider dtype and the full shape. Where the condition of `while` is an array, states are repeated to its shape, \
               and each has an element for each of its own.",
        failing: script("input x: f64[3]\nrepeat 10 with s = zeros_like(f32(x)) { s + x }"),
        corrected: script("input x: f64[3]\nrepeat 10 with s = zeros_like(x) { s + x }"),
    };
    /// A body that gives more or fewer values than the loop carries.
    LOOP_STEP = Row {
        id: "E0442",
        name: "loop-step",
        summary: "a body that does not give what the loop carries",
        levels: ERROR,
        page: "The last line of a `repeat` gives the next states, in the order in which they are named. That of a `scan` gives \
               the next states and then a row of the result, or several.",
        failing: script("repeat 10 with a = 0, b = 1 { a + b }"),
        corrected: script("repeat 10 with a = 0, b = 1 { (b, a + b) }"),
    };
}
