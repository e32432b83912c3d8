//! The header of a `.npy` file: a Python dictionary with three known keys.
//!
//! ```text
//! \x93NUMPY  version  length  {'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }  spaces  \n
//! ```
//!
//! It is read by a parser of exactly this shape, which neither recurses nor evaluates: strings without escapes, two
//! words, whole numbers, one level of brackets. At most [`MAX_HEADER`] bytes are looked at, whatever the file
//! declares. The result holds the dtype as text; [`layout`] reads it.

use crate::types::dtype::{DType, Kind};
use std::fmt;

/// The first bytes of every `.npy` file.
pub(super) const MAGIC: &[u8; 6] = b"\x93NUMPY";

/// Longest header that is read, in bytes.
pub const MAX_HEADER: usize = 64 * 1024;

/// What a header says.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct HeaderFields {
    /// The dtype as the file writes it: `<f8`.
    pub(super) descr: String,
    /// Whether the first axis is the fastest.
    pub(super) fortran: bool,
    /// The length of each axis.
    pub(super) shape: Vec<u64>,
    /// Where the data begins.
    pub(super) data: u64,
}

/// What is wrong with a header.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum HeaderFault {
    /// It is no `.npy` header: the rest of the sentence "`a.npy` …".
    Bad(String),
    /// A dtype that is no plain string.
    Dtype(UnreadElements),
    /// Beyond a limit.
    TooLarge(String),
}

/// Elements that have no dtype here. The text is the rest of the sentence "`a.npy` holds …".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum UnreadElements {
    LongDoubles,
    Bytes,
    Objects,
    Strings,
    Times,
    Unknown,
    Unordered,
    Records,
    Arrays,
}

impl fmt::Display for UnreadElements {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            UnreadElements::LongDoubles => "long doubles",
            UnreadElements::Bytes => "raw bytes",
            UnreadElements::Objects => "Python objects",
            UnreadElements::Strings => "strings",
            UnreadElements::Times => "dates or times",
            UnreadElements::Unknown => "elements of an unknown dtype",
            UnreadElements::Unordered => "elements without a byte order",
            UnreadElements::Records => "records",
            UnreadElements::Arrays => "arrays within elements",
        })
    }
}

fn bad<T>(what: impl Into<String>) -> Result<T, HeaderFault> {
    Err(HeaderFault::Bad(what.into()))
}

/// Reads the header in the first bytes of a file that is `len` bytes long.
pub(super) fn parse(bytes: &[u8], len: u64) -> Result<HeaderFields, HeaderFault> {
    if bytes.is_empty() {
        return bad("is empty");
    }
    if !bytes.starts_with(MAGIC) {
        return bad(match bytes {
            [b'P', b'K', ..] => "is no .npy file but a zip archive; is it an .npz?",
            _ => "is no .npy file: it does not begin with \\x93NUMPY",
        });
    }
    let (start, declared) = match *bytes {
        [_, _, _, _, _, _, 1, 0, a, b, ..] => (10, u64::from(u16::from_le_bytes([a, b]))),
        [_, _, _, _, _, _, 2 | 3, 0, a, b, c, d, ..] => (12, u64::from(u32::from_le_bytes([a, b, c, d]))),
        [_, _, _, _, _, _, 1..=3, 0, ..] | [_, _, _, _, _, _] | [_, _, _, _, _, _, _] => {
            return bad("ends within its header");
        }
        [_, _, _, _, _, _, major, minor, ..] => {
            return bad(format!("is a .npy file of version {major}.{minor}; 1.0, 2.0 and 3.0 are known"));
        }
        _ => return bad("ends within its header"),
    };
    if start as u64 + declared > len {
        return bad(format!("says that its header has {declared} bytes, but the whole file has {len}"));
    }
    if declared as usize > MAX_HEADER {
        return Err(HeaderFault::TooLarge(format!("has a header of {declared} bytes; at most {MAX_HEADER} are read")));
    }
    let Some(header) = bytes.get(start..start + declared as usize) else {
        return bad("ends within its header");
    };
    let Some((b'\n', header)) = header.split_last() else {
        return bad("has a header that does not end in a newline");
    };
    let mut fields = Parser { text: header, at: 0 }.dictionary()?;
    fields.data = start as u64 + declared;
    Ok(fields)
}

struct Parser<'a> {
    text: &'a [u8],
    at: usize,
}

impl<'a> Parser<'a> {
    fn dictionary(&mut self) -> Result<HeaderFields, HeaderFault> {
        let (mut descr, mut fortran, mut shape) = (None, None, None);
        self.expect(b'{', "a dictionary")?;
        while !self.take(b'}') {
            let key = self.string("a key")?;
            self.expect(b':', "`:` after a key")?;
            let known = match key {
                "descr" => descr.replace(self.descr()?).is_some(),
                "fortran_order" => fortran.replace(self.flag()?).is_some(),
                "shape" => shape.replace(self.tuple()?).is_some(),
                other => return bad(format!("has the unknown key `{}` in its header", brief(other))),
            };
            if known {
                return bad(format!("has the key `{key}` twice in its header"));
            }
            if !self.take(b',') {
                self.expect(b'}', "`,` or `}`")?;
                break;
            }
        }
        self.skip_space();
        if self.at < self.text.len() {
            return bad("has more in its header than the dictionary");
        }
        let missing = |key| HeaderFault::Bad(format!("lacks the key `{key}` in its header"));
        Ok(HeaderFields {
            descr: descr.ok_or_else(|| missing("descr"))?,
            fortran: fortran.ok_or_else(|| missing("fortran_order"))?,
            shape: shape.ok_or_else(|| missing("shape"))?,
            data: 0,
        })
    }

    fn skip_space(&mut self) {
        while matches!(self.text.get(self.at), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn peek(&mut self) -> Option<u8> {
        self.skip_space();
        self.text.get(self.at).copied()
    }

    fn take(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, byte: u8, what: &str) -> Result<(), HeaderFault> {
        if self.take(byte) { Ok(()) } else { self.syntax(what) }
    }

    fn syntax<T>(&self, wanted: &str) -> Result<T, HeaderFault> {
        bad(format!("has a header that cannot be read: {wanted} is missing at byte {}", self.at))
    }

    fn string(&mut self, what: &str) -> Result<&'a str, HeaderFault> {
        let Some(quote @ (b'\'' | b'"')) = self.peek() else {
            return self.syntax(what);
        };
        let text = &self.text[self.at + 1..];
        let end = text.iter().position(|&byte| byte == quote || byte == b'\\' || byte == b'\n');
        let Some(end) = end.filter(|&end| text[end] == quote) else {
            return self.syntax(&format!("the end of {what}, without escapes,"));
        };
        self.at += end + 2;
        std::str::from_utf8(&text[..end]).or_else(|_| self.syntax("valid UTF-8"))
    }

    fn descr(&mut self) -> Result<String, HeaderFault> {
        match self.peek() {
            // Never looked into: whatever nests in there has no dtype here.
            Some(b'[') => Err(HeaderFault::Dtype(UnreadElements::Records)),
            Some(b'(') => Err(HeaderFault::Dtype(UnreadElements::Arrays)),
            _ => self.string("the dtype in quotes").map(str::to_string),
        }
    }

    fn word(&mut self) -> &'a [u8] {
        self.skip_space();
        let rest = &self.text[self.at..];
        let len = rest.iter().position(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_').unwrap_or(rest.len());
        self.at += len;
        &rest[..len]
    }

    fn flag(&mut self) -> Result<bool, HeaderFault> {
        let at = self.at;
        match self.word() {
            b"True" => Ok(true),
            b"False" => Ok(false),
            _ => {
                self.at = at;
                self.syntax("`True` or `False` as `fortran_order`")
            }
        }
    }

    fn tuple(&mut self) -> Result<Vec<u64>, HeaderFault> {
        let mut shape = Vec::new();
        self.expect(b'(', "the shape, a tuple,")?;
        let mut comma = true;
        while !self.take(b')') {
            if !comma {
                return self.syntax("`,` or `)` in the shape");
            }
            shape.push(self.length()?);
            comma = self.take(b',');
        }
        // `(3)` is a number in brackets, not a tuple.
        if comma || shape.len() > 1 { Ok(shape) } else { self.syntax("`,` in a shape of one axis") }
    }

    fn length(&mut self) -> Result<u64, HeaderFault> {
        if self.peek() == Some(b'-') {
            return bad("has a negative length in its shape");
        }
        let word = self.word();
        // Python 2 wrote long integers as `3L`.
        let digits = word.strip_suffix(b"L").unwrap_or(word);
        if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) || self.text.get(self.at) == Some(&b'.') {
            self.at -= word.len();
            return self.syntax("a whole number in the shape");
        }
        let overflow = || HeaderFault::TooLarge("has a length of 2^64 or more in its shape".to_string());
        let number = std::str::from_utf8(digits).expect("digits are ASCII");
        number.parse().map_err(|_| overflow())
    }
}

/// A few characters of text from a file, safe to print.
pub(super) fn brief(text: &str) -> String {
    let start: String = text.chars().take(20).collect();
    super::error::escape(&start).into_owned() + if start.len() < text.len() { "…" } else { "" }
}

/// How elements lie in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct StoredDType {
    /// Their dtype.
    pub(super) dtype: DType,
    /// Whether their bytes come most significant first.
    pub(super) swapped: bool,
}

/// Reads a dtype string such as `<f8`; `said` is what the program says the dtype is.
///
/// # Errors
/// When no dtype has such elements.
pub(super) fn layout(descr: &str, said: Option<DType>) -> Result<StoredDType, UnreadElements> {
    let (order, rest) = match descr.as_bytes() {
        [order @ (b'<' | b'>' | b'|' | b'='), ..] => (*order, &descr[1..]),
        // Without a mark: this machine's order, as everywhere in NumPy.
        _ => (b'=', descr),
    };
    let size = rest.get(1..).and_then(|digits| digits.parse::<usize>().ok());
    let kind = match (rest.as_bytes().first(), size) {
        (Some(b'b'), Some(1)) => Kind::Bool,
        (Some(b'?'), None) if rest.len() == 1 => return Ok(StoredDType { dtype: DType::Bool, swapped: false }),
        (Some(b'u'), Some(_)) => Kind::Unsigned,
        (Some(b'i'), Some(_)) => Kind::Signed,
        (Some(b'f'), Some(10 | 12 | 16)) | (Some(b'c'), Some(20 | 24 | 32)) => return Err(UnreadElements::LongDoubles),
        (Some(b'f'), Some(_)) => Kind::Float,
        (Some(b'c'), Some(_)) => Kind::Complex,
        (Some(b'V'), size) => {
            // What NumPy has no letter for is what the program says.
            return match said.filter(|dtype| anonymous(*dtype) && Some(dtype.size()) == size) {
                Some(dtype) => Ok(StoredDType { dtype, swapped: false }),
                None => Err(UnreadElements::Bytes),
            };
        }
        (Some(b'O'), _) => return Err(UnreadElements::Objects),
        (Some(b'S' | b'a' | b'U' | b'T'), _) => return Err(UnreadElements::Strings),
        (Some(b'M' | b'm'), _) => return Err(UnreadElements::Times),
        _ => return Err(UnreadElements::Unknown),
    };
    let mut dtypes = DType::ALL.into_iter().filter(|&dtype| !anonymous(dtype));
    let Some(dtype) = dtypes.find(|dtype| dtype.kind() == kind && Some(dtype.size()) == size) else {
        return Err(UnreadElements::Unknown);
    };
    match order {
        b'|' if dtype.size() > 1 => Err(UnreadElements::Unordered),
        _ => Ok(StoredDType { dtype, swapped: order == b'>' && dtype.size() > 1 }),
    }
}

/// Whether NumPy has no letter for a dtype: files hold its elements as bytes without a name.
pub(super) fn anonymous(dtype: DType) -> bool {
    dtype.row().descr.contains('V')
}
