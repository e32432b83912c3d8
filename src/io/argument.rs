//! Bindings on the command line. They are `NAME=VALUE`, `NAME:TYPE=VALUE`, `NAME:TYPE`, and outputs `NAME=FILE`.
//!
//! A value is a file when it begins with `@`, or, where it holds no text in quotes, contains `/` or ends in the
//! extension of a known format, `d.npz:x` included; `-` is standard input. `*=FILE` binds all arrays of a file by their
//! own names. Any other value is the text of an expression, which the checker reads. File names may be any bytes;
//! names, types and expressions are UTF-8.
//!
//! ```
//! use arrlang::io::argument::{Argument, BoundValue};
//! let x = Argument::parse("x:bf16[n]=weights.npy".as_ref()).unwrap();
//! assert_eq!((x.name.as_str(), x.type_text.as_deref()), ("x", Some("bf16[n]")));
//! assert_eq!(x.value, Some(BoundValue::File("weights.npy".into())));
//! ```

use super::error::printable_path;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use unicode_normalization::UnicodeNormalization;

/// A binding as it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Argument {
    /// The input's name, in NFC.
    pub name: String,
    /// What stands between `:` and `=`.
    pub type_text: Option<String>,
    /// What stands behind `=`; absent in `NAME:TYPE`, which describes an input without data.
    pub value: Option<BoundValue>,
}

/// What stands for a name in `*=t.csv`, which binds every array of a file.
pub const EVERY: &str = "*";

/// What an input is bound to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BoundValue {
    /// A file, with its member: what [`super::read`] takes.
    File(PathBuf),
    /// The text of an expression.
    Text(String),
}

/// An output as it was written: `-o NAME=FILE` or `-o FILE`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutputArgument {
    /// The output's name, in NFC; absent when there is exactly one output.
    pub name: Option<String>,
    /// The file.
    pub path: PathBuf,
}

/// An argument that is no binding: a usage error, exit code 2.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArgumentError {
    /// What is wrong, safe to print.
    pub message: String,
    /// What to write instead.
    pub help: Option<String>,
}

impl std::fmt::Display for ArgumentError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for ArgumentError {}

fn wrong<T>(message: String, help: impl Into<String>) -> Result<T, ArgumentError> {
    Err(ArgumentError { message, help: Some(help.into()) })
}

/// Whether a word is an operator or a number, which the shell has cut off an expression: `1 + 2`.
fn is_of_expression(word: &str, equals: bool) -> bool {
    let operator = !word.contains(char::is_alphanumeric) && !matches!(word, "" | "=") && !word.starts_with("*=");
    let number = !equals && word.starts_with(|c: char| c.is_ascii_digit()) && !word.contains(char::is_alphabetic);
    operator || number
}

impl Argument {
    /// Reads arguments, each of another name.
    ///
    /// # Errors
    /// The first that is no binding, or whose name was given before.
    pub fn parse_all(texts: impl IntoIterator<Item: AsRef<OsStr>>) -> Result<Vec<Argument>, ArgumentError> {
        let mut arguments: Vec<Argument> = Vec::new();
        for text in texts {
            let argument = Argument::parse(text.as_ref())?;
            if arguments.iter().any(|known| known.name == argument.name) {
                return Err(ArgumentError { message: format!("`{}` is given twice", argument.name), help: None });
            }
            arguments.push(argument);
        }
        Ok(arguments)
    }

    /// Reads a binding.
    ///
    /// # Errors
    /// When there is no name, no value where `=` promises one, or text that is not UTF-8.
    pub fn parse(text: &OsStr) -> Result<Argument, ArgumentError> {
        let bytes = text.as_bytes();
        let whole = printable_path(Path::new(text));
        let (left, right) = match bytes.iter().position(|&byte| byte == b'=') {
            Some(at) => (&bytes[..at], Some(&bytes[at + 1..])),
            None => (bytes, None),
        };
        if is_of_expression(&whole, right.is_some()) {
            let help = "an expression with blanks in it stands between quotes, as in `arr eval '1 + 2'`";
            return wrong(format!("`{whole}` binds nothing"), help);
        }
        let (name, type_text) = match left.iter().position(|&byte| byte == b':') {
            Some(at) => (&left[..at], Some(&left[at + 1..])),
            None => (left, None),
        };
        if right.is_none() && super::is_file_name(text) {
            return wrong(format!("`{whole}` binds no input"), format!("say which one: `NAME={whole}`"));
        }
        if right.is_none() && type_text.is_none() {
            return wrong(format!("`{whole}` binds nothing"), "bindings are `NAME=VALUE`, without spaces around `=`");
        }
        let name = if name == b"*" && right.is_some() { Some(EVERY.to_owned()) } else { identifier(name) };
        let name = name.ok_or_else(|| ArgumentError {
            message: format!("`{whole}` does not begin with a name"),
            help: Some("bindings are `NAME=VALUE`, without spaces around `=`".to_string()),
        })?;
        let type_text = match type_text.map(std::str::from_utf8) {
            Some(Ok(text)) if !text.trim().is_empty() => Some(text.trim().to_string()),
            Some(_) => {
                return wrong(format!("`{whole}` has no type behind `:`"), format!("for example `{name}:f32[n]`"));
            }
            None => None,
        };
        let value = right.map(|value| BoundValue::parse(value, &whole, &name)).transpose()?;
        Ok(Argument { name, type_text, value })
    }
}

impl BoundValue {
    fn parse(bytes: &[u8], whole: &str, name: &str) -> Result<BoundValue, ArgumentError> {
        let example = || format!("for example `{name}=2.5` or `{name}=data.npy`");
        match bytes {
            b"" => wrong(format!("`{whole}` has no value behind `=`"), example()),
            b"@" => wrong(format!("`{whole}` has no file name behind `@`"), example()),
            [b'=', ..] => wrong(format!("`{whole}` has two `=`"), format!("a binding has one: `{name}=VALUE`")),
            b"-" | [b'-', b':', _, ..] => Ok(BoundValue::File(to_path(bytes))),
            [b'@', path @ ..] => Ok(BoundValue::File(to_path(path))),
            _ if super::is_file_name(OsStr::from_bytes(bytes)) => Ok(BoundValue::File(to_path(bytes))),
            _ => match std::str::from_utf8(bytes) {
                Ok(text) => Ok(BoundValue::Text(text.to_string())),
                Err(_) => wrong(
                    format!("`{whole}` is not UTF-8, so it is no expression"),
                    format!("a file of such a name is written `{name}=@FILE`"),
                ),
            },
        }
    }
}

impl OutputArgument {
    /// Reads an output. What stands before `=` is a name only if it could be one: `./a=b.npy` is a file.
    ///
    /// # Errors
    /// When there is no file name.
    pub fn parse(text: &OsStr) -> Result<OutputArgument, ArgumentError> {
        let bytes = text.as_bytes();
        let split = bytes.iter().position(|&byte| byte == b'=');
        let named = split.and_then(|at| Some((identifier(&bytes[..at])?, &bytes[at + 1..])));
        let (name, path) = match named {
            Some((name, path)) => (Some(name), path),
            None => (None, bytes),
        };
        let path = path.strip_prefix(b"@").unwrap_or(path);
        if path.is_empty() {
            return wrong(
                format!("`{}` names no file", printable_path(Path::new(text))),
                "for example `-o y=result.npy`",
            );
        }
        Ok(OutputArgument { name, path: to_path(path) })
    }
}

/// Bytes of the command line as a path.
fn to_path(text: &[u8]) -> PathBuf {
    PathBuf::from(OsString::from(OsStr::from_bytes(text)))
}

/// A name in NFC, if the bytes are one.
fn identifier(bytes: &[u8]) -> Option<String> {
    let name: String = std::str::from_utf8(bytes).ok()?.nfc().collect();
    let mut chars = name.chars();
    let starts = chars.next().is_some_and(|c| c.is_alphabetic() || c == '_');
    (starts && chars.all(|c| c.is_alphanumeric() || c == '_')).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Argument {
        Argument::parse(text.as_ref()).unwrap()
    }

    fn error(text: &str) -> String {
        Argument::parse(text.as_ref()).unwrap_err().message
    }

    #[test]
    fn files_are_told_from_expressions() {
        for file in ["@a", "a.npy", "./a", "dir/x.npy", "A.NPY", "d.npz:x", "m.safetensors:w.0", "t.csv:a b"] {
            let value = parse(&format!("x={file}")).value;
            assert_eq!(value, Some(BoundValue::File(file.trim_start_matches('@').into())), "{file}");
        }
        for file in ["sub/q\"q.csv:a", "sub/f('s).csv:a", "5\" pipe.csv"] {
            assert_eq!(parse(&format!("x={file}")).value, Some(BoundValue::File(file.into())), "no text ends: {file}");
        }
        let calls = ["codes(\"t.csv:a\")", "sum(load('multi.npz:a'))", "load(\"d/x.npy\") / 2"];
        for text in ["2.5", "[1, 2]", "2.5f32", "npy", "-1", "a.npz_", "1.5e3", "d.npyz:x"].into_iter().chain(calls) {
            assert_eq!(parse(&format!("x={text}")).value, Some(BoundValue::Text(text.into())), "{text}");
        }
    }

    #[test]
    fn types_stand_between_colon_and_equals() {
        let x = parse("x:bf16[n, 3]=a.npy");
        assert_eq!((x.name.as_str(), x.type_text.as_deref()), ("x", Some("bf16[n, 3]")));
        assert_eq!(parse("x:f32[n]").value, None);
        assert_eq!(parse("x=d.npz:y").type_text, None);
    }

    #[test]
    fn malformed_arguments_say_what_is_missing() {
        assert_eq!(error("x"), "`x` binds nothing");
        assert_eq!(error("a.npy"), "`a.npy` binds no input");
        assert_eq!(error("=5"), "`=5` does not begin with a name");
        assert_eq!(error("2x=5"), "`2x=5` does not begin with a name");
        assert_eq!(error("x="), "`x=` has no value behind `=`");
        assert_eq!(error("x=@"), "`x=@` has no file name behind `@`");
        assert_eq!(error("x==5"), "`x==5` has two `=`");
        assert_eq!(error("x:=5"), "`x:=5` has no type behind `:`");
    }

    #[test]
    fn what_the_shell_cut_off_an_expression_is_to_be_quoted() {
        for word in ["+", "-", "/", "==", "2", "1.5"] {
            let error = Argument::parse(word.as_ref()).unwrap_err();
            assert!(error.help.is_some_and(|help| help.contains("quotes")), "{word}");
        }
        for word in ["x", "=", "=5", "*=", "2x=5", "a.npy", "./2.npy"] {
            let error = Argument::parse(word.as_ref()).unwrap_err();
            assert!(error.help.is_some_and(|help| !help.contains("quotes")), "{word}");
        }
    }

    #[test]
    fn names_are_normalised_and_files_may_be_any_bytes() {
        assert_eq!(parse("e\u{301}=1").name, "\u{e9}");
        let odd = OsStr::from_bytes(b"x=\xff\x1b.npy");
        let Some(BoundValue::File(path)) = Argument::parse(odd).unwrap().value else { panic!("a file") };
        assert_eq!(path.as_os_str().as_bytes(), b"\xff\x1b.npy");
        let text = Argument::parse(OsStr::from_bytes(b"x=\xff\x1b")).unwrap_err();
        assert_eq!(text.message, r"`x=\xff\u{1b}` is not UTF-8, so it is no expression");
    }

    #[test]
    fn outputs_have_a_name_or_none() {
        let output = |text: &str| OutputArgument::parse(text.as_ref());
        assert_eq!(output("y=a.npy"), Ok(OutputArgument { name: Some("y".into()), path: "a.npy".into() }));
        assert_eq!(output("./y=a.npy"), Ok(OutputArgument { name: None, path: "./y=a.npy".into() }));
        assert_eq!(output("a.npy"), Ok(OutputArgument { name: None, path: "a.npy".into() }));
        assert!(output("y=").is_err());
    }
}
