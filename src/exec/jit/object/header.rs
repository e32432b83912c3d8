//! The C header of an object.

use super::driver::code;
use super::inputs::InputOf;
use crate::exec::built::INTERFACE;
use crate::ir::Program;
use crate::types::{DType, shape};
use std::fmt::Write;

/// The name of an output: its own, or its number.
pub(super) fn output_name(program: &Program, index: usize) -> String {
    program.outputs[index].name.clone().unwrap_or_else(|| match program.outputs.len() {
        1 => "result".to_owned(),
        _ => format!("result{index}"),
    })
}

/// A header in the making.
pub(super) struct HeaderWriter {
    text: String,
    /// What the object says of itself.
    pub(super) stamp: String,
    /// Dtypes whose structures are there.
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
             An array to write lies in C order. bool is one byte, 0 or 1; small floats (f16, bf16) are their bits. */\n"
        );
        let stamp = format!("arr-object {INTERFACE}\nmade by arr {version}\n");
        HeaderWriter { text, stamp, known: Vec::new() }
    }

    /// The structures of a dtype.
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

    /// Adds the functions of a program.
    pub(super) fn add(&mut self, program: &Program, name: &str, inputs: &[InputOf], failures: &[(i64, String)]) {
        let outputs: Vec<(String, DType, String)> = (0..program.outputs.len())
            .map(|at| {
                let node = program.node(program.outputs[at].node);
                (output_name(program, at), node.dtype, shape::show(&node.shape))
            })
            .collect();
        inputs.iter().for_each(|input| self.structures(input.dtype));
        outputs.iter().for_each(|output| self.structures(output.1));
        let _ = writeln!(self.stamp, "function {name}");
        for of in inputs {
            let _ = writeln!(self.stamp, "input {}: {}{}", c_name(&of.name), of.dtype, shape::show(&of.shape));
        }
        for (output, dtype, shape) in &outputs {
            let _ = writeln!(self.stamp, "output {output}: {dtype}{shape}");
        }
        let text = &mut self.text;
        let ins: Vec<String> =
            inputs.iter().map(|of| format!("const arr_in_{} *{}", of.dtype.name(), c_name(&of.name))).collect();
        let out =
            |(name, dtype, _): &(String, DType, String)| format!("const arr_out_{} *{}", dtype.name(), c_name(name));
        let outs: Vec<String> = outputs.iter().map(out).collect();
        let shapes: Vec<String> = outputs.iter().map(|(name, ..)| format!("int64_t *{}_shape", c_name(name))).collect();
        let _ = writeln!(text, "\n/* {name}\n\n   Inputs:");
        for of in inputs {
            let _ = writeln!(text, "     {}: {}{}", of.name, of.dtype, shape::show(&of.shape));
        }
        text.push_str("   Outputs:\n");
        for (name, dtype, shape) in &outputs {
            let _ = writeln!(text, "     {name}: {dtype}{shape}");
        }
        let _ = writeln!(
            text,
            "   No output may share memory with an input or another output. `scratch` has as many bytes as\n   \
             {name}_scratch says for these inputs, of any alignment. `stop` is NULL, or the address of a number that is\n   \
             looked at between steps: as soon as it is not 0, the function returns. The return value is one of:"
        );
        for (code, meaning) in failures {
            let _ = writeln!(text, "     {code}: {meaning}");
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
    }

    /// The text.
    pub(super) fn finish(self) -> String {
        self.text + "#ifdef __cplusplus\n}\n#endif\n#endif\n"
    }
}

/// A name that C takes: others have an underscore, and what C does not know is one.
fn c_name(name: &str) -> String {
    const KEYWORDS: [&str; 12] =
        ["int", "float", "double", "char", "long", "short", "signed", "unsigned", "new", "class", "this", "default"];
    let plain: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    if KEYWORDS.contains(&plain.as_str()) { plain + "_" } else { plain }
}
