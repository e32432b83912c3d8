//! `arr head FILE`: the arrays in a file, with dtype, shape, first rows.
//!
//! What a column is follows from all of its cells, so a table is read to its end, but nothing of it is kept. The rows
//! are the text of the file; of arrays they are elements.

use super::formats::FormatRow;
use super::painted::StyledText;
use super::shared::UnheededOptions;
use super::{memory, output, parsers};
use crate::array::Array;
use crate::array::json::write_json;
use crate::array::logical::Logical;
use crate::array::show::{Show, array_text, cell_text};
use crate::diagnostic::codes::running::UNSUPPORTED_FILE_DTYPE;
use crate::diagnostic::{Outcome, visible, wrap};
use crate::exec;
use crate::io::table::{ColumnAnswer, ColumnReading, ColumnRequest, ReadUpTo, TableOptions};
use crate::io::{self, IoError, Location, ReadOptions, Warning, table, together};
use crate::types::DType;
use clap::Args;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::ffi::OsString;
use std::fmt::Write;

/// Most arrays that are shown of one file.
const MAX_ARRAYS: usize = 1000;
/// Elements of arrays that are not mapped are shown only if the arrays have at most this many bytes.
const MAX_BYTES: usize = 16 << 20;
/// Most elements of first rows in JSON.
const MAX_ELEMENTS: usize = 1 << 16;
/// Longest cell of a row, in characters.
const MAX_CELL: usize = 24;
/// Least room for a remark that is cut into lines.
const MIN_REMARK: usize = 30;
/// Most words that are named beside a column.
const MAX_WORDS: usize = 5;

#[derive(Args, Debug)]
pub(super) struct HeadArgs {
    /// The file, or an array in it: t.csv, t.csv:price, d.npz:x; `-` is standard input
    file: OsString,
    /// How many rows are shown
    #[arg(
        short = 'n',
        long,
        value_name = "COUNT",
        default_value = "5",
        value_parser = parsers::rows,
        allow_negative_numbers = true
    )]
    rows: u16,
    /// The first line of tables is data, not the names of columns
    #[arg(long)]
    no_header: bool,
    /// What stands for a missing value in columns of integers
    #[arg(long, value_name = "NUMBER", value_parser = parsers::number, allow_hyphen_values = true)]
    missing: Option<i64>,
    /// What parts the fields of tables: a character, `tab` or `blank` [default: by the file's name]
    #[arg(long, value_name = "CHARACTER", value_parser = parsers::delimiter)]
    delimiter: Option<u8>,
    /// The format of standard input and of pipes [default: by the first bytes], and of files whose names tell none
    #[arg(long, value_name = "FORMAT", value_parser = parsers::format)]
    format_in: Option<&'static io::Format>,
    /// Ceiling for the memory of arrays, such as 500M or 8G [default: 80% of the machine's]
    #[arg(long, value_name = "SIZE", value_parser = parsers::size, allow_negative_numbers = true)]
    max_mem: Option<usize>,
    /// Print only the names of the arrays, one in a line; no data is read
    #[arg(long, conflicts_with_all = ["rows", "format"])]
    names: bool,
    /// How the answer is written
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: FormatRow,
    #[command(flatten)]
    _shared: UnheededOptions,
}

/// `arr head t.csv`
pub(super) fn show(command: &HeadArgs) -> Outcome {
    if command.names {
        return names(command);
    }
    match HeadReport::read(command) {
        Ok(found) => match command.format {
            FormatRow::Text => {
                let code = output::show(&StyledText::from(found.text().as_str())).outcome();
                output::notes(&found.notes);
                code
            }
            FormatRow::Json => output::json(&found.json()),
        },
        Err(error) => output::report_refusal(&error),
    }
}

/// The names of the arrays in a file, but for those that no terminal could show.
fn names(command: &HeadArgs) -> Outcome {
    match io::members(&Location::parse(&command.file).path) {
        Ok(names) => {
            let shown = names.iter().filter(|name| visible::visible(name) == **name);
            output::print(&shown.fold(String::new(), |text, name| text + name + "\n"))
        }
        Err(error) => output::report_refusal(&error),
    }
}

/// An array of the file, or why it cannot be read.
struct MemberHead {
    name: Option<String>,
    answer: Result<ColumnAnswer, IoError>,
}

/// What is shown of a file.
struct HeadReport {
    parts: Vec<MemberHead>,
    /// How many arrays are left out.
    left_out: usize,
    rows: FirstRows,
    notes: Vec<String>,
}

/// The first rows.
enum FirstRows {
    /// Of columns side by side: a cell of each.
    Cells(Vec<Vec<String>>),
    /// Of arrays, each by itself; without any, they are too large to be read.
    Arrays(Vec<Option<Array>>),
}

impl HeadRequest<'_> {
    fn options(&self) -> ReadOptions {
        let HeadArgs { no_header, missing, delimiter, format_in, max_mem, .. } = self.head;
        let table = TableOptions {
            header: !no_header,
            missing: *missing,
            delimiter: *delimiter,
            threads: exec::available_threads(),
        };
        let max_bytes = max_mem.or_else(memory::ceiling);
        ReadOptions { max_bytes, table, format: *format_in, ..ReadOptions::default() }
    }

    /// The format that the name tells, or else the user or the first bytes of the file.
    fn format(&self) -> Option<&'static io::Format> {
        self.location.format(&self.options()).ok()
    }

    /// The arrays, with their elements or without.
    fn parts(&self, kept: ReadUpTo) -> Result<(Vec<MemberHead>, usize), IoError> {
        let (mut names, mut left_out) = (Vec::new(), 0);
        let member = self.location.member.clone();
        let is_table = self.format().is_some_and(io::Format::is_table);
        let choose = |all: &[String]| {
            names = match member {
                Some(member) => vec![Some(member)],
                None if all.is_empty() => vec![None],
                None if is_table => addressable(all).take(MAX_ARRAYS).map(Some).collect(),
                None => all.iter().take(MAX_ARRAYS).cloned().map(Some).collect(),
            };
            left_out = all.len().saturating_sub(names.len()) * usize::from(self.location.member.is_none());
            names.iter().map(|name| ColumnRequest { member: name.clone(), wanted: ColumnReading::Found }).collect()
        };
        let answers = together::load(&self.location.path, choose, &self.options(), kept)?;
        let part = |(name, answer)| self.told(MemberHead { name, answer }, kept);
        Ok((names.into_iter().zip(answers).map(part).collect(), left_out))
    }

    /// The same array, or, where its file has no name for its elements, as a dtype of their size that has none there.
    fn told(&self, part: MemberHead, kept: ReadUpTo) -> MemberHead {
        let path = &self.location.path;
        let is_unnamed = |error: &IoError| error.code.id == UNSUPPORTED_FILE_DTYPE.id && path.is_file();
        if !part.answer.as_ref().is_err_and(is_unnamed) {
            return part;
        }
        let unnamed = || DType::ALL.into_iter().filter(|dtype| dtype.row().descr.contains('V'));
        for dtype in unnamed() {
            let request = ColumnRequest { member: part.name.clone(), wanted: ColumnReading::Elements(dtype) };
            let answers = together::load(path, |_| vec![request], &self.options(), kept).unwrap_or_default();
            if let Some(mut answer) = answers.into_iter().find_map(Result::ok) {
                let shown = io::error::printable_path(path);
                let alike = unnamed().filter(|other| other.size() == dtype.size()).map(|other| format!("`{other}`"));
                let alike = alike.collect::<Vec<_>>().join(" or ");
                answer.notes.push(format!("`{shown}` has no name for its elements, which may be {alike}"));
                return MemberHead { answer: Ok(answer), ..part };
            }
        }
        part
    }

    /// The first rows: the text of a table that is a file, elements of what else is not too large.
    fn rows(&self, parts: &mut Vec<MemberHead>, kept: bool) -> Result<FirstRows, IoError> {
        let (location, count) = (&self.location, usize::from(self.head.rows));
        let format = self.format();
        let is_table = format.is_some_and(io::Format::is_table);
        let of_columns = is_table || format.is_some_and(io::Format::has_columns);
        if is_table && !kept {
            let first = table::first(&location.path, &self.options(), count)?;
            let wanted = |part: &MemberHead| first.place(part.name.as_deref());
            let places: Vec<Option<usize>> = parts.iter().map(wanted).collect();
            let cells = |row: &Vec<String>| places.iter().map(|at| at.and_then(|at| row.get(at)).cloned()).collect();
            let rows = first.rows.iter().map(cells).collect::<Vec<Vec<Option<String>>>>();
            let filled = |row: Vec<Option<String>>| row.into_iter().map(Option::unwrap_or_default).collect();
            return Ok(FirstRows::Cells(rows.into_iter().map(filled).collect()));
        }
        let mapped = format.is_some_and(|format| matches!(format.extension, "npy" | "safetensors"));
        let size = |answer: &ColumnAnswer| answer.shape.iter().product::<usize>().saturating_mul(answer.dtype.size());
        let bytes = parts.iter().filter_map(|part| part.answer.as_ref().ok()).map(size).fold(0, usize::saturating_add);
        if !kept && !mapped && bytes > MAX_BYTES {
            return Ok(FirstRows::Arrays(Vec::new()));
        }
        if !kept {
            *parts = self.parts(ReadUpTo::Elements)?.0;
        }
        Ok(elements(parts, count, of_columns))
    }
}

/// The names of columns; of those that share one, or have none, the places by which they are known.
fn addressable(all: &[String]) -> impl Iterator<Item = String> {
    let mut times: HashMap<&str, usize> = HashMap::new();
    all.iter().for_each(|name| *times.entry(name).or_default() += 1);
    let own = move |(at, name): (usize, &String)| {
        let place = (at + 1).to_string();
        let is_unclear = name.is_empty() || times[name.as_str()] > 1;
        if is_unclear && !times.contains_key(place.as_str()) { place } else { name.clone() }
    };
    all.iter().enumerate().map(own)
}

/// The command, and what it is about.
struct HeadRequest<'c> {
    head: &'c HeadArgs,
    location: Location,
}

impl HeadReport {
    fn read(head: &HeadArgs) -> Result<HeadReport, IoError> {
        let mut command = HeadRequest { head, location: Location::parse(&head.file) };
        command.location = Location::named_by_user(&head.file, &command.options());
        // What is read once is kept at once.
        let keep = !command.location.path.is_file();
        let (mut parts, left_out) = command.parts(ReadUpTo::elements_if(keep))?;
        if let [MemberHead { answer: Err(error), .. }] = &parts[..] {
            return Err(error.clone());
        }
        let rows = command.rows(&mut parts, keep)?;
        let mut notes: Vec<String> = Vec::new();
        for answer in parts.iter_mut().filter_map(|part| part.answer.as_mut().ok()) {
            let told = |warning: Warning| match warning.help {
                Some(help) => format!("{}; {help}", warning.message),
                None => warning.message,
            };
            let warnings = answer.warnings.drain(..).map(told);
            notes.extend(
                answer.notes.drain(..).chain(warnings).filter(|note| !notes.contains(note)).collect::<Vec<_>>(),
            );
        }
        Ok(HeadReport { parts, left_out, rows, notes })
    }

    fn text(&self) -> String {
        let shown = |part: &MemberHead| part.name.as_deref().map(visible::visible).unwrap_or_default();
        let names: Vec<String> = self.parts.iter().map(shown).collect();
        let types: Vec<String> = self.parts.iter().map(MemberHead::of_type).collect();
        let widest = |texts: &[String]| texts.iter().map(|text| columns(text)).max().unwrap_or_default();
        let (name_width, type_width) = (widest(&names), widest(&types));
        let mut text = String::new();
        for ((part, name), of_type) in self.parts.iter().zip(&names).zip(&types) {
            let gap = if name_width > 0 { "  " } else { "" };
            let line = format!("{}{gap}{}  ", padded(name, name_width), padded(of_type, type_width));
            // On a terminal a remark goes on below where it began.
            let room = output::width().saturating_sub(columns(&line));
            let remark = if room >= MIN_REMARK { wrap::lines(&part.remark(), room, room) } else { vec![part.remark()] };
            let indent = format!("\n{}", " ".repeat(columns(&line)));
            text += format!("{line}{}", remark.join(&indent)).trim_end();
            text.push('\n');
        }
        if self.left_out > 0 {
            let _ = writeln!(text, "and {} more", self.left_out);
        }
        match &self.rows {
            FirstRows::Cells(rows) if !rows.is_empty() => {
                let _ = write!(text, "\n{}", table_text(&names, rows, output::width()));
            }
            FirstRows::Arrays(arrays) if !arrays.is_empty() => {
                for ((name, array), part) in names.iter().zip(arrays).zip(&self.parts) {
                    let array = rows_text(array.as_ref(), part);
                    let title = if name.is_empty() { String::new() } else { format!("{name} =\n") };
                    let _ = writeln!(text, "\n{title}{array}");
                }
            }
            FirstRows::Cells(_) | FirstRows::Arrays(_) => {}
        }
        text
    }

    fn json(&self) -> Value {
        let mut arrays: Vec<Value> = self.parts.iter().map(MemberHead::json).collect();
        if let FirstRows::Arrays(first) = &self.rows {
            for (object, array) in arrays.iter_mut().zip(first) {
                object["rows"] = array.as_ref().map_or(Value::Null, rows_json);
            }
        }
        let mut object = json!({ "version": 1, "arrays": arrays, "left_out": self.left_out });
        if let FirstRows::Cells(rows) = &self.rows {
            object["rows"] = json!(rows);
        }
        object["notes"] = json!(self.notes);
        object
    }
}

impl MemberHead {
    /// `f64[3, 4]`; a dash for what cannot be read.
    fn of_type(&self) -> String {
        match &self.answer {
            Ok(answer) if answer.shape.is_empty() => answer.dtype.to_string(),
            Ok(answer) => {
                let shape: Vec<String> = answer.shape.iter().map(ToString::to_string).collect();
                format!("{}[{}]", answer.dtype, shape.join(", "))
            }
            Err(_) => "-".to_owned(),
        }
    }

    /// What its integers mean, or why it cannot be read.
    fn remark(&self) -> String {
        let array = match &self.answer {
            Ok(answer) => answer.array.as_ref(),
            Err(error) => {
                let help = error.help.as_deref().map(|help| format!("; {help}")).unwrap_or_default();
                return visible::visible(&format!("{}: {}{help}", error.code.id, error.message));
            }
        };
        match array.and_then(Array::logical) {
            Some(Logical::Words(words)) => {
                let first: Vec<String> = words.iter().take(MAX_WORDS).map(|word| shortened(word)).collect();
                let more = if words.len() > MAX_WORDS {
                    format!(" and {} more", words.len() - MAX_WORDS)
                } else {
                    String::new()
                };
                format!("codes of the words {}{more}", first.join(", "))
            }
            Some(logical) => logical.name().to_owned(),
            None => String::new(),
        }
    }

    fn json(&self) -> Value {
        match &self.answer {
            Ok(answer) => {
                let logical = answer.array.as_ref().and_then(Array::logical).map(Logical::name);
                json!({
                    "name": self.name, "dtype": answer.dtype.to_string(), "shape": answer.shape, "means": logical,
                })
            }
            Err(error) => json!({ "name": self.name, "error": { "code": error.code.id, "message": error.message } }),
        }
    }
}

/// The first elements of arrays: vectors of one length are columns, others stand alone; so does a single one that is no
/// column of a table.
fn elements(parts: &[MemberHead], count: usize, of_columns: bool) -> FirstRows {
    let arrays: Vec<Option<&Array>> =
        parts.iter().map(|part| part.answer.as_ref().ok().and_then(|answer| answer.array.as_ref())).collect();
    let mut lengths = arrays.iter().flatten().map(|array| array.shape());
    let first = lengths.next();
    let alike = first.is_some_and(|shape| shape.len() == 1 && lengths.all(|other| other == shape));
    let columns = alike && (of_columns || parts.len() > 1);
    if columns {
        let rows = first.map_or(0, |shape| shape[0]).min(count);
        let cell = |row: usize| move |array: Option<&Array>| array.map_or(String::new(), |it| cell_text(it, row, None));
        return FirstRows::Cells((0..rows).map(|row| arrays.iter().copied().map(cell(row)).collect()).collect());
    }
    FirstRows::Arrays(arrays.into_iter().map(|array| array.map(|array| first_rows(array, count))).collect())
}

/// The first rows of an array.
fn first_rows(array: &Array, count: usize) -> Array {
    let mut shape = array.shape().to_vec();
    if let Some(first) = shape.first_mut() {
        *first = (*first).min(count);
    }
    array.view(shape, array.strides().to_vec(), array.offset()).meaning_as(array)
}

/// First rows as nested lists; nothing where they are too long.
fn rows_json(first: &Array) -> Value {
    if first.shape().iter().product::<usize>() > MAX_ELEMENTS {
        return Value::Null;
    }
    let mut text = String::new();
    write_json(first, &mut text);
    serde_json::from_str(&text).expect("JSON that was just written")
}

/// First rows as text, with dots where the array has more.
fn rows_text(first: Option<&Array>, part: &MemberHead) -> String {
    let Some(first) = first else { return "-".to_owned() };
    let text = array_text(first, &Show { threshold: 100, ..Show::default() });
    let whole = part.answer.as_ref().is_ok_and(|answer| answer.shape == first.shape());
    if whole { text } else { format!("{text} ...") }
}

/// Cells in aligned columns under their names: as many of them as a terminal of this width has room for, and a word
/// about the others; 0 is room for all.
fn table_text(names: &[String], rows: &[Vec<String>], room: usize) -> String {
    let head: Vec<String> = names.iter().map(|name| shortened(name)).collect();
    let rows: Vec<Vec<String>> =
        rows.iter().map(|row| row.iter().map(|cell| shortened(cell)).collect::<Vec<_>>()).collect();
    let all = || std::iter::once(&head).chain(&rows);
    let width = |at: usize| all().filter_map(|row| row.get(at)).map(|cell| columns(cell)).max().unwrap_or_default();
    let widths: Vec<usize> = (0..head.len()).map(width).collect();
    let shown = fitting(&widths, room);
    let more = if shown < widths.len() { "  …" } else { "" };
    let mut text = String::new();
    for row in all() {
        let cells: Vec<String> = row.iter().zip(&widths[..shown]).map(|(cell, &width)| padded(cell, width)).collect();
        text += format!("{}{more}", cells.join("  ")).trim_end();
        text.push('\n');
    }
    if shown < widths.len() {
        let _ = writeln!(text, "{shown} of {} columns", widths.len());
    }
    text
}

/// How many columns stand side by side, with room for a sign that there are more; the first is always shown.
fn fitting(widths: &[usize], room: usize) -> usize {
    let ends = widths.iter().scan(0, |end, width| {
        *end += width + 2;
        Some(*end)
    });
    let ends: Vec<usize> = ends.collect();
    match ends.last() {
        Some(all) if room > 0 && all - 2 > room => ends.iter().take_while(|&&end| end < room).count().max(1),
        _ => widths.len(),
    }
}

/// A cell as it may be seen, on one line, not too long.
fn shortened(text: &str) -> String {
    let text = visible::visible(text);
    match text.char_indices().nth(MAX_CELL) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

fn columns(text: &str) -> usize {
    text.chars().map(visible::width).sum()
}

fn padded(text: &str, width: usize) -> String {
    format!("{text}{}", " ".repeat(width.saturating_sub(columns(text))))
}
