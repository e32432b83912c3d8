//! Indices, layouts and construction that fit the shapes at hand.

use super::write::{Name, Writer};

impl Writer<'_> {
    /// What stands in the brackets behind a value.
    pub(super) fn index(&mut self, of: &Name) -> String {
        let mut parts = Vec::new();
        let mut computed = false;
        for (axis, &len) in of.shape.iter().enumerate() {
            if self.below(8) == 1 {
                parts.push("None".to_owned());
            }
            match self.below(9) {
                0 => parts.push(self.slice(len)),
                1 | 2 if len > 0 => parts.push(self.position(len)),
                3 if len > 0 && !computed => {
                    computed = true;
                    parts.push(format!("argmax({}) % {len}", self.name().text));
                }
                4 if len > 0 && !computed => {
                    computed = true;
                    parts.push(format!("count_nonzero({}) % {len} - {len}", self.name().text));
                }
                5 => {
                    parts.push("...".to_owned());
                    if axis + 1 < of.shape.len() {
                        parts.push(self.slice(of.shape[of.shape.len() - 1]));
                    }
                    break;
                }
                6 => parts.push(":".to_owned()),
                _ => parts.push(self.slice(len)),
            }
        }
        if parts.is_empty() {
            parts.push(self.one_of(&["...", "None"]).to_owned());
        }
        parts.join(", ")
    }

    /// What stands in the brackets where positions and masks choose, at least once; of an array with axes.
    pub(super) fn chosen_index(&mut self, of: &Name) -> String {
        let count = 1 + self.below(3);
        let certain = self.below(of.shape.len());
        let mut parts = Vec::new();
        for (axis, &len) in of.shape.iter().enumerate() {
            if self.below(10) == 1 {
                parts.push("None".to_owned());
            }
            let kind = if axis == certain { self.below(4) } else { self.below(9) };
            parts.push(match kind {
                0 | 1 if len > 0 => {
                    let at: Vec<String> = (0..count).map(|_| self.position(len)).collect();
                    let behind = self.one_of(&["", "", "[:, None]"]);
                    format!("i32([{}]){behind}", at.join(", "))
                }
                2 if len > 0 => format!("(arange({count}) * {} % {len})", 1 + self.below(5)),
                4 if len > 0 => self.position(len),
                // As many as the other arrays have, or all.
                3 if len >= count => format!("(arange({len}) >= {})", len - count),
                5 | 6 => ":".to_owned(),
                _ => self.slice(len),
            });
        }
        parts.join(", ")
    }

    /// Elements that positions and masks choose; how many a mask keeps does not show.
    pub(super) fn chosen(&mut self) -> String {
        let of = self.array();
        if of.shape.is_empty() {
            return format!("{}[None][[0, 0]]", of.text);
        }
        if self.below(4) == 0 {
            let other = self.names.iter().rev().find(|other| other.shape == of.shape).unwrap_or(&of).text.clone();
            let axis = self.below(of.shape.len());
            let before = ":, ".repeat(axis);
            let zeros = vec!["0"; of.shape.len() - axis - 1].join(", ");
            return match self.below(3) {
                0 => format!("sum({}[{other} > {}])", of.text, self.literal()),
                1 if of.shape[axis + 1..].iter().all(|&len| len > 0) && of.shape[..axis].iter().all(|&len| len > 0) => {
                    let at = [vec!["0"; axis].join(", "), ":".to_owned(), zeros];
                    let at: Vec<&str> = at.iter().map(String::as_str).filter(|part| !part.is_empty()).collect();
                    format!("sum({}[{before}{other}[{}] != 0], axis={axis})", of.text, at.join(", "))
                }
                _ => format!("count_nonzero({}[{other} == {other}])", of.text),
            };
        }
        format!("{}[{}]", of.text, self.chosen_index(&of))
    }

    /// A position that an axis has, from either end.
    fn position(&mut self, len: usize) -> String {
        let at = self.below(2 * len);
        if at < len { at.to_string() } else { format!("-{}", at - len + 1) }
    }

    fn slice(&mut self, len: usize) -> String {
        let bound = |writer: &mut Self| match writer.below(4) {
            1 => writer.below(len + 2).to_string(),
            2 => format!("-{}", writer.below(len + 2)),
            _ => String::new(),
        };
        let (low, high) = (bound(self), bound(self));
        let step = self.one_of(&["", ":-1", ":2", ":-2", ":3", ":", ":-3"]);
        format!("{low}:{high}{step}")
    }

    /// One axis, from either end, or none.
    fn axis(&mut self, of: &Name) -> Option<String> {
        let rank = of.shape.len();
        (rank > 0 && self.below(4) > 0).then(|| self.position(rank))
    }

    /// `, axis=1` or nothing.
    fn axis_argument(&mut self, of: &Name) -> String {
        self.axis(of).map(|axis| format!(", axis={axis}")).unwrap_or_default()
    }

    /// The same elements in another shape or order.
    pub(super) fn layout(&mut self) -> String {
        let name = self.array();
        let (x, rank, size) = (&name.text, name.shape.len(), name.shape.iter().product::<usize>());
        let axis = self.axis_argument(&name);
        let small = |writer: &mut Self| writer.below(7) as i64 - 3;
        match self.below(16) {
            0 => format!("flip({x}{axis})"),
            1 => format!("roll({x}, {}{axis})", small(self)),
            2 => {
                let divisors: Vec<usize> = (1..=size.max(1)).filter(|divisor| size.is_multiple_of(*divisor)).collect();
                let divisor = self.one_of(&divisors);
                let other = if self.below(2) == 0 { "-1".to_owned() } else { (size / divisor).to_string() };
                if self.below(2) == 0 {
                    format!("reshape({x}, ({other}, {divisor}))")
                } else {
                    format!("{x}.reshape({divisor}, {other})")
                }
            }
            3 => {
                let mut order: Vec<String> = (0..rank).map(|axis| axis.to_string()).collect();
                order.rotate_left(self.below(rank.max(1)));
                let turned = if rank > 1 { format!(", ({})", order.join(", ")) } else { String::new() };
                format!("transpose({x}{turned})")
            }
            4 => format!("{x}.T"),
            5 => format!("diff({x}, n={}{axis})", self.below(3)),
            6 => format!("pad({x}, {}, value={})", self.below(4), self.below(3)),
            7 => {
                let widths: Vec<String> =
                    (0..rank).map(|_| format!("({}, {})", self.below(4), self.below(4))).collect();
                let widths = if rank == 1 { widths[0].clone() } else { format!("({})", widths.join(", ")) };
                format!("pad({x}, {widths})")
            }
            8 => self.take(&name),
            9 => format!("stack(({x}, {x} {} {}){axis})", self.infix(), self.term()),
            10 => format!("concat(({x}, {x}[::-1], {x}[:1]))"),
            11 => format!("concat(({x}, {}({x})){axis})", self.dtype()),
            12 if rank > 0 && size > 0 && self.below(2) == 0 => {
                let axis = self.below(rank);
                let len = 1 + self.below(name.shape[axis].min(5));
                format!("sliding_window_view({x}, {len}, axis={axis})")
            }
            12 => format!("expand_dims({x}, {})", self.position(rank + 1)),
            13 => format!("squeeze({x}[None])"),
            14 => {
                let mut shape: Vec<String> = name.shape.iter().map(ToString::to_string).collect();
                shape.insert(0, (1 + self.below(3)).to_string());
                format!("broadcast_to({x}, ({},))", shape.join(", "))
            }
            _ if rank > 1 => format!("swapaxes({x}, 0, {})", self.position(rank)),
            _ => format!("ravel({x})"),
        }
    }

    /// Elements at positions, which are numbers or computed.
    fn take(&mut self, of: &Name) -> String {
        let axis = self.axis(of);
        let size = of.shape.iter().product::<usize>();
        let len = match &axis {
            Some(axis) => {
                let axis: i64 = axis.parse().expect("a number");
                of.shape[axis.rem_euclid(of.shape.len() as i64) as usize]
            }
            None => size,
        };
        let len = len.max(1);
        let axis = axis.map(|axis| format!(", axis={axis}")).unwrap_or_default();
        if self.below(2) == 0 {
            let at: Vec<String> = (0..3).map(|_| self.position(len)).collect();
            return format!("take({}, [{}]{axis})", of.text, at.join(", "));
        }
        let name = self.array();
        let positions = self.one_of(&["argmax(", "argmin(", "count_nonzero("]);
        format!("take({}, {positions}{}, axis=0) % {len}{axis})", of.text, name.text)
    }

    /// A new array, alone or with one that is there.
    pub(super) fn made(&mut self) -> String {
        let name = self.array();
        let (x, dtype, len) = (&name.text, self.dtype(), name.shape.last().copied().unwrap_or(3));
        let made = match self.below(10) {
            0 => format!("zeros({x}.shape, dtype={dtype})"),
            1 => format!("ones({len}, dtype={dtype})"),
            2 => format!("full({x}.shape, {}, dtype={dtype})", self.below(3)),
            3 => format!("arange({len})"),
            4 => format!("arange({}, {}, -2)", self.below(9), -(self.below(9) as i64)),
            5 => format!("linspace({}, {}, {len})", self.literal(), self.literal()),
            6 => format!("eye({}, {}, k={}, dtype={dtype})", 1 + self.below(4), len, self.below(3) as i64 - 1),
            7 => format!("zeros_like({x})"),
            8 => format!("ones_like({x}, dtype={dtype})"),
            _ => format!("full_like({x}, {})", self.below(2)),
        };
        if self.below(2) == 0 { format!("{x} {} {made}", self.infix()) } else { made }
    }
}
