//! The C header of an object.

use super::driver::code;
use super::inputs::InputOf;
use super::is_name;
use super::names::ParameterNames;
use crate::exec::built::{DEFAULT, EXACT, INTERFACE, name_of_types, of_types};
use crate::ir::Program;
use crate::source::Span;
use crate::types::{DType, shape};
use std::fmt::Write;

/// What a script says at the places of its program. A program without a script has no such texts.
pub trait ScriptTexts {
    /// The comment above what is declared at a place.
    fn about(&self, _: Span) -> String {
        String::new()
    }

    /// The value that the script gives the input that is declared at a place, if that needs no other name of the
    /// script.
    fn default(&self, _: Span) -> Option<String> {
        None
    }

    /// Whether the type of the input that is declared at a place says the length of an axis as a number.
    fn says_number(&self, _: Span, _axis: usize) -> bool {
        true
    }

    /// What stands at a place, and in which line.
    fn said(&self, _: Span) -> Option<(String, usize)> {
        None
    }
}

/// The name of an output: its own, or its number.
pub(super) fn output_name(program: &Program, index: usize) -> String {
    program.outputs[index].name.clone().unwrap_or_else(|| match program.outputs.len() {
        1 => "result".to_owned(),
        _ => format!("result{index}"),
    })
}

/// An input or an output of a function.
struct Parameter {
    /// The name as in the script.
    name: String,
    dtype: DType,
    shape: String,
    /// What the script says about it.
    about: String,
    /// The value that the script gives an input, if that needs no other name of the script.
    default: Option<String>,
    /// Whether an input has a length that is a number, and that the script says in another way.
    is_exact: bool,
}

impl Parameter {
    /// The lines of a comment that describe the parameter.
    fn described(&self, called: &str) -> String {
        let Parameter { name, dtype, shape, about, default, is_exact: _ } = self;
        let known = if called == name { String::new() } else { format!(" (`{called}` below)") };
        let default = default.as_ref().map_or_else(String::new, |value| format!(", {value} in the script"));
        let mut text = format!("     {name}: {dtype}{shape}{known}{default}\n");
        for line in about.lines() {
            let _ = writeln!(text, "       {line}");
        }
        in_comment(&text)
    }
}

/// Text that neither ends a comment nor begins another.
fn in_comment(text: &str) -> String {
    text.replace("*/", "* /").replace("/*", "/ *")
}

/// A header in the making.
pub(super) struct HeaderWriter {
    text: String,
    /// The lines that the object says of itself.
    pub(super) stamp: String,
    /// Each function, and the name of its types.
    pub(super) types: Vec<(String, String)>,
    /// The dtypes whose structures are in the text.
    known: Vec<DType>,
}

impl HeaderWriter {
    pub(super) fn new(name: &str) -> HeaderWriter {
        let guard = format!("ARR_{}_H", name.to_uppercase());
        let version = env!("CARGO_PKG_VERSION");
        let text = format!(
            "/* Made by arr {version}. */\n#ifndef {guard}\n#define {guard}\n\n#include <stdint.h>\n\n\
             #ifdef __cplusplus\nextern \"C\" {{\n#endif\n\n\
             /* An array to read: its first element, the length of each axis, and the bytes from one element to the next\n   \
             along each axis; without strides (NULL) it lies in C order. Elements may have any alignment.\n   \
             An array to write lies in C order. bool is one byte, 0 or 1; small floats (f16, bf16, f8) are their bits. */\n"
        );
        let stamp = format!("arr-object {INTERFACE}\nmade by arr {version}\n");
        HeaderWriter { text, stamp, types: Vec::new(), known: Vec::new() }
    }

    /// Adds the structures of a dtype.
    fn structures(&mut self, dtype: DType) {
        if self.known.contains(&dtype) {
            return;
        }
        self.known.push(dtype);
        let (c, short) = (dtype.row().c_type, dtype.name());
        let _ = writeln!(self.text, "#ifndef ARR_{0}\n#define ARR_{0}", short.to_uppercase());
        if dtype.is_complex() {
            let part = dtype.part().row().c_type;
            let _ = writeln!(self.text, "typedef struct {{ {part} re, im; }} {c};");
        }
        let _ = writeln!(
            self.text,
            "typedef struct {{ const {c} *data; const int64_t *shape; const int64_t *strides; }} arr_in_{short};\n\
             typedef struct {{ {c} *data; const int64_t *shape; }} arr_out_{short};\n#endif"
        );
    }

    /// Adds what `arr run` reads of a function. Inputs have their names in the script; files have the names of their
    /// parameters.
    fn stamp(&mut self, name: &str, inputs: &[Parameter], in_names: &[String], outputs: &[Parameter]) {
        let mut lines = format!("function {name}\n");
        for (of, called) in inputs.iter().zip(in_names) {
            let name = if is_name(&of.name) { &of.name } else { called };
            let default = of.default.as_ref().map_or_else(String::new, |value| format!("{DEFAULT}{value}"));
            let _ = writeln!(lines, "input {name}: {}{}{default}", of.dtype, of.shape);
        }
        for of in outputs {
            let _ = writeln!(lines, "output {}: {}{}", of.name, of.dtype, of.shape);
        }
        let types: String = lines.lines().map(of_types).collect();
        self.stamp += &lines;
        for (of, called) in inputs.iter().zip(in_names).filter(|(of, _)| of.is_exact) {
            let _ = writeln!(self.stamp, "{EXACT}{}", if is_name(&of.name) { &of.name } else { called });
        }
        self.types.push((name.to_owned(), name_of_types(name, &types)));
    }

    /// Adds the functions of a program, with what the script says about its inputs and outputs at their places.
    pub(super) fn add(
        &mut self,
        (name, program): (&str, &Program),
        inputs: &[InputOf],
        failures: &[(i64, String)],
        script: &dyn ScriptTexts,
    ) {
        let input =
            |of: &InputOf| Parameter {
                name: of.name.clone(),
                dtype: of.dtype,
                shape: shape::show(&of.shape),
                about: script.about(program.inputs[of.number].span),
                default: script.default(program.inputs[of.number].span),
                is_exact: of.shape.iter().enumerate().any(|(axis, dim)| {
                    dim.known().is_some() && !script.says_number(program.inputs[of.number].span, axis)
                }),
            };
        let inputs: Vec<Parameter> = inputs.iter().map(input).collect();
        let output = |at: usize| {
            let (of, node) = (&program.outputs[at], program.node(program.outputs[at].node));
            let about = if of.name.is_some() { script.about(of.span) } else { String::new() };
            let (name, shape) = (output_name(program, at), shape::show(&node.shape));
            Parameter { name, dtype: node.dtype, shape, about, default: None, is_exact: false }
        };
        let outputs: Vec<Parameter> = (0..program.outputs.len()).map(output).collect();
        inputs.iter().chain(&outputs).for_each(|of| self.structures(of.dtype));
        let mut names = ParameterNames::default();
        let in_names: Vec<String> = inputs.iter().map(|of| names.add(&of.name, "_")).collect();
        let mut shape_names = names.clone();
        let out_names: Vec<String> = outputs.iter().map(|of| names.add(&of.name, "_out")).collect();
        let shapes: Vec<String> = out_names
            .iter()
            .map(|name| format!("int64_t *{}", shape_names.add(&format!("{name}_shape"), "_")))
            .collect();
        self.stamp(name, &inputs, &in_names, &outputs);
        let declared = |of: &Parameter, way: &str, name: &str| format!("const arr_{way}_{} *{name}", of.dtype.name());
        let ins: Vec<String> = inputs.iter().zip(&in_names).map(|(of, name)| declared(of, "in", name)).collect();
        let outs: Vec<String> = outputs.iter().zip(&out_names).map(|(of, name)| declared(of, "out", name)).collect();
        let text = &mut self.text;
        let _ = writeln!(text, "\n/* {name}\n");
        for (title, list, names) in [("Inputs", &inputs, &in_names), ("Outputs", &outputs, &out_names)] {
            let _ = writeln!(text, "   {title}:");
            list.iter().zip(names).for_each(|(of, name)| text.push_str(&of.described(name)));
        }
        let _ = writeln!(
            text,
            "   No output may share memory with an input or another output. `scratch` has as many bytes as\n   \
             {name}_scratch says for these inputs, of any alignment. `stop` is NULL, or the address of a number that is\n   \
             looked at between steps: as soon as it is not 0, the function returns. The return value is one of:"
        );
        for (code, meaning) in failures {
            let _ = writeln!(text, "     {code}: {}", in_comment(meaning));
        }
        let none = if failures.iter().any(|(code, _)| *code == code::PROCESSOR) { "1, 2, 4, 5," } else { "1, 2, 4," };
        let _ = writeln!(text, "   Nothing was written if it is {none} or 16 and more. */");
        let joined = |parts: &[&[String]]| parts.concat().join(", ");
        let scratch = ["void *scratch".to_owned(), "const volatile int *stop".to_owned()];
        let _ = writeln!(text, "int {name}({});\n", joined(&[&ins, &outs, &scratch]));
        let _ = writeln!(
            text,
            "/* The lengths that the outputs must have. */\nint {name}_shape({});\n",
            joined(&[&ins, &shapes])
        );
        let none = ["void".to_owned()];
        let _ = writeln!(
            text,
            "/* Bytes of scratch, or minus the code of what is wrong. */\nint64_t {name}_scratch({});\n",
            joined(&[if ins.is_empty() { &none } else { &ins }])
        );
        let _ = writeln!(text, "/* A code in words. */\nconst char *{name}_error(int code);\n");
        let types = &self.types.last().expect("the function was stamped").1;
        let _ = writeln!(
            text,
            "/* An object for other types, or for other calls, has another name here: it does not link with this header. */\n\
             void {types}(void);\n#ifdef __GNUC__\n\
             static void (*const {types}_)(void) __attribute__((used)) = {types};\n#endif\n"
        );
    }

    /// The text.
    pub(super) fn finish(self) -> String {
        self.text + "#ifdef __cplusplus\n}\n#endif\n#endif\n"
    }
}
