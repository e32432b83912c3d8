//! Loops over earlier values: states, counters, conditions, rows.

use super::write::{Name, Writer};

impl Writer<'_> {
    /// A loop of a few steps, and its results.
    pub(super) fn looped(&mut self) -> String {
        let (number, start) = (self.number, self.array());
        let dtype = start.dtype;
        let outside = self.names.len();
        let state = Name { text: format!("p{number}"), ..start.clone() };
        let scans = self.below(3) == 0 && !start.shape.is_empty();
        let axis = self.below(start.shape.len().max(1));
        let mut row = start.shape.clone();
        if scans {
            row.remove(axis);
        }
        let state = if scans { Name { shape: row.clone(), ..state } } else { state };
        let begin = match (scans, self.below(3)) {
            (true, 0) => format!("{dtype}(0)"),
            (true, _) => format!("{dtype}(max({}, axis={axis}))", start.text),
            (false, 0) if start.shape.is_empty() => "1".to_owned(),
            (false, _) => start.text.clone(),
        };
        let counts = self.below(6);
        let condition = match self.below(5) {
            0 => " while t < 2".to_owned(),
            1 => format!(" while {} != {}", state.text, self.literal()),
            _ => String::new(),
        };
        self.names.push(Name { text: "t".to_owned(), dtype: arrlang::types::DType::I64, shape: Vec::new() });
        if scans {
            // The name of the array is that of its row.
            self.names.retain(|name| name.text != "t");
            self.names.push(Name { text: format!("r{number}"), dtype, shape: row });
        }
        self.names.push(state.clone());
        let p = &state.text;
        let (first, second) = (self.step(p), self.step(p));
        let reverse = if self.below(2) == 0 { " reverse" } else { "" };
        let text = match (scans, self.below(3)) {
            (true, _) => format!(
                "let s{number} = scan r{number} = {} along {axis}{reverse} with {p} = {begin} {{\n  let {p} = \
                 {dtype}({first})\n  ({p}, {second})\n}}\noutput v{number} = s{number}\n",
                start.text
            ),
            (false, 0) => format!(
                "let (s{number}, q{number}) = repeat {counts} as t{condition} with {p} = {begin}, n = 0 {{ \
                 ({dtype}({first}), n + 1) }}\noutput v{number} = s{number}\noutput z{number} = q{number}\n"
            ),
            (false, _) => format!(
                "let s{number} = repeat {counts} as t{condition} with {p} = {begin} {{\n  let u = {second}\n  \
                 {dtype}({first})\n}}\noutput v{number} = s{number}\n"
            ),
        };
        self.names.truncate(outside);
        text
    }

    /// What becomes of a state.
    fn step(&mut self, state: &str) -> String {
        match self.below(8) {
            0 => self.expression(),
            1 => format!("where({state} > {}, {state}, {})", self.term(), self.term()),
            2 => format!("{state} + sum({state})"),
            3 => format!("maximum({state}, {})", self.term()),
            4 => state.to_owned(),
            _ => format!("{state} {} {}", self.infix(), self.term()),
        }
    }
}
