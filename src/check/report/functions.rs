//! Findings about functions: their definitions, or what their calls come to.

use super::covers;
use crate::check::infer::found::walk_cause::WalkCause;
use crate::diagnostic::codes::{Row, dtypes, lints, names, shapes, views};
use crate::diagnostic::{Diagnostic, Edit, Fix, HelpTopic, Label, Level};
use crate::ops::library::NOTE;
use crate::promotion::verdict;
use crate::source::{Span, library_line};
use crate::types::{DType, Dim, Elem};
use std::collections::{HashMap, HashSet};

/// What a promotion costs is a matter of the arguments.
const COSTS: &[&Row] = &[
    &dtypes::PRECISION_LOSS,
    &dtypes::INEXACT_CONVERSION,
    &dtypes::RANGE_LOSS,
    &dtypes::KIND_CHANGE,
    &dtypes::WIDENING,
    &dtypes::IMPLICIT_PROMOTION,
    &dtypes::WEAK_NARROWING,
];

/// What is true of a step alone: of the arguments of a call it may be said otherwise.
const IN_STEPS: &[&Row] = &[&views::INDEX_OUT_OF_RANGE, &dtypes::NO_COMMON_DTYPE];

/// What a call is labelled with in a message about the function's body.
const IN_THIS_CALL: &str = "in this call";

/// A bool that has slipped from the place of a flag to that of the number before it.
pub(in crate::check) fn bool_for_a_number((number, flag): (&str, &str), text: &str, span: Span) -> Diagnostic {
    Diagnostic::error(&names::WRONG_VALUE, span, format!("`{number}` is a number, and a bool stands in its place"))
        .label(span, "a bool")
        .help(format!("write `{flag}={text}`, or `{number}={text}` where the number is meant"))
}

/// Shows what led to the place that is reported.
pub(in crate::check) fn caused_here(diagnostic: Diagnostic, cause: WalkCause) -> Diagnostic {
    match cause {
        WalkCause::Call(call) | WalkCause::Written(call) => diagnostic.label(call, IN_THIS_CALL),
        WalkCause::File(used) | WalkCause::Use(used) => diagnostic.label(used, "used here"),
        WalkCause::Nothing => diagnostic,
    }
}

/// Whether a call of a function that came with the language is told what is found there: what is an error, and what is
/// a matter of the arguments.
pub(in crate::check) fn is_told_of_calls(row: &'static Row, level: Level) -> bool {
    let is_error = row.levels == [Level::Deny; 3] || level == Level::Deny;
    let of_arguments = [&dtypes::INTEGER_OVERFLOW, &lints::NARROW_ACCUMULATION];
    is_error || COSTS.iter().chain(&of_arguments).any(|told| told.id == row.id)
}

/// What was found in a function that came with the language, told of the call. It is `None` where it is a matter of how
/// the function is written.
pub(in crate::check) fn told_of_call(mut diagnostic: Diagnostic, call: Span) -> Option<Diagnostic> {
    let place = diagnostic.span();
    let has = |rows: &[&Row]| rows.iter().any(|row| row.id == diagnostic.code.id);
    let line = place.and_then(library_line);
    let wraps = has(&[&dtypes::INTEGER_OVERFLOW]);
    let narrow = wraps || has(&[&lints::NARROW_ACCUMULATION]);
    if line.is_some() && !is_told_of_calls(diagnostic.code, diagnostic.level) {
        return None;
    }
    diagnostic.labels.retain(|label| !label.span.source.is_library());
    // What a promotion costs there, and what wraps, is told with names that nobody wrote here.
    let own = line.is_some() && (narrow || has(COSTS));
    let is_widest = narrow && is_of_widest(&diagnostic.message);
    if has(&[&dtypes::UNKNOWN_DTYPE]) {
        // The dtype that is meant is the same in the call.
        diagnostic.helps.iter_mut().for_each(|help| help.fix = None);
    }
    let wide = diagnostic.helps.iter().find_map(|help| match help.topic {
        Some(HelpTopic::Holds(wide)) => Some(wide),
        Some(HelpTopic::Comments | HelpTopic::Room | HelpTopic::Wrapping) | None => None,
    });
    diagnostic.helps.retain(|help| help.fix.is_none() && !own);
    if let Some(line) = line {
        diagnostic.labels.insert(0, Label { span: call, message: String::new() });
        let (line, instead) = line.split_once(NOTE).map_or((line, None), |(line, instead)| (line, Some(instead)));
        // What a line asks for is said by a comment behind it, if there is one.
        let (code, asked) = line.split_once("  # ").map_or((line, None), |(code, asked)| (code, Some(asked)));
        let code = code.strip_prefix("fn ").and_then(|code| code.split_once(") = ")).map_or(code, |(_, code)| code);
        match asked.filter(|_| !has(COSTS)) {
            Some(asked) => asked.clone_into(&mut diagnostic.message),
            None => {
                // Whoever calls it knows no name that stands there.
                let named = diagnostic.message.strip_prefix('`').and_then(|it| it.split_once('`'));
                match named {
                    Some((_, rest)) if own => {
                        // `cumsum` of u8 stays u8
                        let total = rest.strip_prefix(" of ").and_then(|it| it.split_once(" stays "));
                        diagnostic.message = match total {
                            Some((_, rest)) => format!("a step of this call computes a total in {rest}"),
                            None => format!("a step of this call{rest}"),
                        };
                    }
                    Some((name, rest)) if has(&[&dtypes::UNSUPPORTED_DTYPE, &shapes::EMPTY_REDUCTION]) => {
                        diagnostic.message = format!("`{name}`, a step of this call,{rest}");
                    }
                    None if has(&[&shapes::ANNOTATED_SHAPE]) => {
                        diagnostic.message = needed_here(&diagnostic.message);
                    }
                    None if has(IN_STEPS) => {
                        diagnostic.message = format!("in a step of this call, {}", diagnostic.message);
                    }
                    _ => {}
                }
                diagnostic = match instead.filter(|_| diagnostic.is_error()) {
                    Some(instead) => {
                        diagnostic.helps.clear();
                        diagnostic.help(instead)
                    }
                    None => diagnostic.note(format!("the call does `{code}`")),
                };
            }
        }
        if narrow && !is_widest {
            diagnostic = diagnostic.help(match wide {
                Some(wide) => format!("convert the arguments first, as in `{wide}(x)`: {wide} holds all of this step"),
                None => "convert the arguments first, as in `i64(x)`".to_owned(),
            });
        } else if own && !narrow {
            diagnostic = diagnostic.help("convert what the call is given: then the cast says what is meant");
        }
    }
    Some(diagnostic)
}

/// What is said of a value of another shape, where nobody wrote the annotation: `this is a scalar, and a vector is needed
/// in this call`.
fn needed_here(message: &str) -> String {
    let found =
        message.split_once(", and [").and_then(|(found, wanted)| Some((found, wanted.strip_suffix("] is annotated")?)));
    let Some((found, wanted)) = found else { return message.to_owned() };
    match wanted.matches(", ").count() {
        0 => format!("{found}, and a vector is needed in this call"),
        1 => format!("{found}, and a matrix is needed in this call"),
        more => format!("{found}, and {} axes are needed in this call", more + 1),
    }
}

/// Whether a message about integers that wrap is of those that have 64 bits: it says so behind the code.
fn is_of_widest(message: &str) -> bool {
    let said = message.rsplit('`').next().unwrap_or_default();
    said.split(|it: char| !it.is_ascii_alphanumeric()).any(|word| matches!(word, "i64" | "u64"))
}

/// Takes back what converts to a dtype in a function that other calls give values without an equal in it: what mends
/// one call is wrong for another. So is a cast around arithmetic, at one of the places in `wraps`, that another call
/// gives as many bits: there it would say that wrapping is meant.
pub(in crate::check) fn for_one_call(
    diagnostic: &mut Diagnostic,
    several: &HashMap<Span, HashSet<Elem>>,
    wraps: &[Span],
) {
    let lost = |elem: &Elem, dtype: DType| match elem {
        Elem::Strong(own) => !verdict::exact(*own, dtype),
        Elem::WeakInt => !verdict::exact(DType::I64, dtype),
        Elem::WeakFloat => !verdict::exact(DType::F64, dtype),
        Elem::WeakComplex => !verdict::exact(DType::C128, dtype),
    };
    let silences = |elem: &Elem, dtype: DType| {
        let own = elem.strong().filter(|own| own.is_integer() && dtype.is_integer());
        own.is_some_and(|own| own.bits() >= dtype.bits())
    };
    let is_wrong = |edit: &Edit, next: Option<&Edit>| {
        let Some(dtype) = dtype_written(&edit.text) else { return false };
        let cast = next.map_or(edit.span, |end| edit.span.to(end.span));
        let is_around = wraps.iter().any(|at| covers(cast, *at));
        let is_lost = |elem: &Elem| lost(elem, dtype) || is_around && silences(elem, dtype);
        several.iter().any(|(place, given)| covers(*place, edit.span) && given.iter().any(is_lost))
    };
    let is_for_one = |fix: &Fix| {
        let mut edits = fix.edits.iter().enumerate();
        edits.any(|(index, edit)| is_wrong(edit, fix.edits.get(index + 1)))
    };
    let mut taken = false;
    for help in &mut diagnostic.helps {
        if help.fix.take_if(|fix| is_for_one(fix)).is_some() {
            taken = true;
        }
    }
    if taken {
        let note = "the function is called with other dtypes too: what mends this call may be wrong for them";
        diagnostic.notes.push(note.to_owned());
    }
}

/// Where arithmetic wraps, if a finding says so.
pub(in crate::check) fn wraps_at(found: &Diagnostic) -> Option<Span> {
    let is_it = [dtypes::INTEGER_OVERFLOW.id, lints::UNSIGNED_NEGATION.id].contains(&found.code.id);
    found.span().filter(|_| is_it)
}

/// Takes back what would mend one call of a function, as no cast holds the values of all.
pub(in crate::check) fn wrong_for_other_calls(diagnostic: &mut Diagnostic) {
    diagnostic.helps.iter_mut().for_each(|help| help.fix = None);
    let note = "the function is called with other values too: what mends this call may be wrong for them";
    diagnostic.notes.push(note.to_owned());
}

/// The dtype in the text of an edit: `f64(`, `, dtype=f32`.
fn dtype_written(text: &str) -> Option<DType> {
    let name = text.trim_matches(['(', ',', ' ']);
    let name = name.strip_prefix("dtype=").unwrap_or(name);
    DType::ALL.into_iter().find(|dtype| dtype.name() == name)
}

/// Functions that lead back to themselves: each with the place where it names the next.
pub(in crate::check) fn function_cycle(cycle: &[(&str, Span)]) -> Diagnostic {
    let mut names: Vec<&str> = cycle.iter().map(|(name, _)| *name).collect();
    names.push(cycle[0].0);
    let shown = if names.len() > 12 {
        let (first, last) = (names[..6].join(" → "), names[names.len() - 5..].join(" → "));
        format!("{first} → … → {last}")
    } else {
        names.join(" → ")
    };
    let message = format!("`{}` leads back to itself: {shown}", cycle[0].0);
    let mut diagnostic = Diagnostic::error(&names::FUNCTION_CYCLE, cycle[0].1, message);
    for (index, (name, place)) in cycle.iter().enumerate().take(8) {
        diagnostic = diagnostic.label(*place, format!("`{name}` uses `{}`", names[index + 1]));
    }
    diagnostic
        .note("functions are put in place where they are called, so that every program ends: none may need itself")
}

pub(in crate::check) fn function_twice(name: &str, before: Span, span: Span) -> Diagnostic {
    Diagnostic::error(&names::BAD_DEFINITION, span, format!("the function `{name}` is defined twice"))
        .label(span, "again here")
        .label(before, "defined here already")
}

pub(in crate::check) fn parameter_twice(name: &str, before: Span, span: Span) -> Diagnostic {
    Diagnostic::error(&names::BAD_DEFINITION, span, format!("two parameters have the name `{name}`"))
        .label(span, "again here")
        .label(before, "used here already")
}

pub(in crate::check) fn default_before(name: &str, before: Span, span: Span) -> Diagnostic {
    let message = format!("`{name}` has no default and comes after a parameter that has one");
    Diagnostic::error(&names::BAD_DEFINITION, span, message)
        .label(span, "needs an argument")
        .label(before, "may be left out")
        .help("parameters with defaults come last")
}

/// A function that is used before a value that it needs is there.
pub(in crate::check) fn used_before(function: &str, name: &str, place: Span, defined: Span, used: Span) -> Diagnostic {
    let message = format!("`{function}` needs `{name}`, which is not defined yet");
    Diagnostic::error(&names::USED_BEFORE, used, message)
        .label(used, format!("`{function}` is used here"))
        .label(place, format!("it needs `{name}`"))
        .label(defined, "which is defined only here")
        .help(format!("move the definition of `{name}` up, or make it a parameter of `{function}`"))
}

pub(in crate::check) fn captured_variable(name: &str, span: Span, declared: Span) -> Diagnostic {
    let message = format!("a function cannot use the variable `{name}`");
    Diagnostic::error(&names::CAPTURED_VARIABLE, span, message)
        .label(span, "changes between calls, perhaps")
        .label(declared, "a `var`")
        .help(format!("make it a parameter of the function, and pass `{name}` where it is called"))
}

pub(in crate::check) fn call_depth(name: &str, limit: u32, span: Span) -> Diagnostic {
    let message = format!("calls of functions nest deeper than {limit} here");
    Diagnostic::error(&names::EXPANSION_LIMIT, span, message).label(span, format!("`{name}` is one too deep"))
}

pub(in crate::check) fn expansion_limit(limit: u32, span: Span) -> Diagnostic {
    let message = "the calls and loops of this program come to too many operations";
    Diagnostic::error(&names::EXPANSION_LIMIT, span, message)
        .label(span, format!("more than {limit} expressions by here"))
        .note(
            "a call stands for the body of its function, again for each combination of arguments; the body of a loop \
             is looked at more than once, and so is each loop in it",
        )
}

pub(in crate::check) fn tuple_too_large(limit: usize, span: Span) -> Diagnostic {
    Diagnostic::error(&names::EXPANSION_LIMIT, span, format!("a tuple holds at most {limit} values"))
        .label(span, "more than that, with the tuples in it")
}

/// One name of a dimension that stands for two sizes in one call.
pub(in crate::check) fn dimension_differs(
    function: &str,
    param: &str,
    name: &str,
    known: (&Dim, Span),
    found: (&Dim, Span),
    declared: Span,
) -> Diagnostic {
    let message = format!("`{name}` of `{function}` is {} and {} in one call", known.0, found.0);
    Diagnostic::error(&shapes::ANNOTATED_SHAPE, found.1, message)
        .label(found.1, format!("`{name}` is {}", found.0))
        .label(known.1, format!("`{name}` is {}", known.0))
        .label(declared, format!("`{param}` has the same `{name}`"))
}

pub(in crate::check) fn own_function_printed(name: &str, signature: &str, span: Span) -> Diagnostic {
    let message = format!("`{name}` is a function and needs arguments");
    Diagnostic::error(&dtypes::NOT_AN_ARRAY, span, message).help(format!("it is `{signature}`"))
}

/// A name that the function cannot see, because it is defined further down.
pub(in crate::check) fn defined_later(name: &str, span: Span, defined: Span) -> Diagnostic {
    Diagnostic::error(&names::UNKNOWN_NAME, span, format!("`{name}` is not defined here yet"))
        .label(span, "used here")
        .label(defined, "defined only here")
        .help(
            "names are looked up where they are used, those of a function where it is defined: move the definition up",
        )
}
