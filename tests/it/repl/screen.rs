//! What a terminal shows: the few escape sequences that a line editor writes, carried out on a grid of characters.

/// A grid of characters with a cursor. Lines that leave at the top are gone.
pub(super) struct Screen {
    columns: usize,
    lines: Vec<Vec<char>>,
    rows: usize,
    row: usize,
    column: usize,
    /// Bytes that belong together and are not complete yet.
    pending: Vec<u8>,
}

impl Screen {
    pub(super) fn new(columns: usize, rows: usize) -> Screen {
        Screen { columns, lines: vec![vec![' '; columns]; rows], rows, row: 0, column: 0, pending: Vec::new() }
    }

    /// The lines without blanks at their ends, and without empty lines at the end.
    pub(super) fn text(&self) -> String {
        let lines = self.lines.iter().map(|line| line.iter().collect::<String>().trim_end().to_owned());
        let mut lines: Vec<String> = lines.collect();
        while lines.last().is_some_and(String::is_empty) {
            lines.pop();
        }
        lines.join("\n")
    }

    /// The line that the cursor is in.
    pub(super) fn line(&self) -> String {
        self.lines[self.row].iter().collect::<String>().trim_end().to_owned()
    }

    pub(super) fn write(&mut self, bytes: &[u8]) {
        self.pending.extend_from_slice(bytes);
        let bytes = std::mem::take(&mut self.pending);
        let mut at = 0;
        while at < bytes.len() {
            match self.step(&bytes[at..]) {
                Some(len) => at += len,
                None => {
                    self.pending = bytes[at..].to_vec();
                    return;
                }
            }
        }
    }

    /// Carries out what stands first. Returns how many bytes that were, or `None` when more must come.
    fn step(&mut self, bytes: &[u8]) -> Option<usize> {
        match bytes[0] {
            b'\r' => self.column = 0,
            b'\n' => self.feed(),
            8 => self.column = self.column.saturating_sub(1),
            7 => {}
            27 => return self.escape(bytes),
            first => {
                let len = match first {
                    0..0x80 => 1,
                    0x80..0xe0 => 2,
                    0xe0..0xf0 => 3,
                    _ => 4,
                };
                let text = std::str::from_utf8(bytes.get(..len)?).expect("a terminal gets UTF-8");
                text.chars().for_each(|c| self.put(c));
                return Some(len);
            }
        }
        Some(1)
    }

    fn put(&mut self, c: char) {
        if self.column == self.columns {
            self.column = 0;
            self.feed();
        }
        self.lines[self.row][self.column] = c;
        self.column += 1;
    }

    fn feed(&mut self) {
        if self.row + 1 == self.rows {
            self.lines.remove(0);
            self.lines.push(vec![' '; self.columns]);
        } else {
            self.row += 1;
        }
    }

    fn escape(&mut self, bytes: &[u8]) -> Option<usize> {
        if *bytes.get(1)? != b'[' {
            return Some(2);
        }
        let len = bytes.iter().skip(2).position(|byte| (0x40..=0x7e).contains(byte))? + 3;
        let (body, last) = (&bytes[2..len - 1], bytes[len - 1]);
        let numbers: Vec<usize> =
            String::from_utf8_lossy(body).split(';').map(|number| number.parse().unwrap_or(0)).collect();
        let count = numbers[0].max(1);
        match last {
            b'A' => self.row = self.row.saturating_sub(count),
            b'B' => self.row = (self.row + count).min(self.rows - 1),
            b'C' => self.column = (self.column + count).min(self.columns - 1),
            b'D' => self.column = self.column.saturating_sub(count),
            b'G' => self.column = count.min(self.columns) - 1,
            b'H' => {
                self.row = count.min(self.rows) - 1;
                self.column = numbers.get(1).map_or(1, |&column| column.max(1)).min(self.columns) - 1;
            }
            b'J' => {
                let from = if numbers[0] == 2 { (0, 0) } else { (self.row, self.column) };
                for row in from.0..self.rows {
                    let start = if row == from.0 { from.1 } else { 0 };
                    self.lines[row][start.min(self.columns)..].fill(' ');
                }
            }
            b'K' => {
                let start = if numbers[0] == 2 { 0 } else { self.column.min(self.columns) };
                self.lines[self.row][start..].fill(' ');
            }
            // Colours, and modes such as bracketed paste.
            b'm' | b'h' | b'l' => {}
            other => panic!("the screen does not know {:?}", other as char),
        }
        Some(len)
    }
}

#[test]
fn a_screen_shows_what_was_written() {
    let mut screen = Screen::new(10, 3);
    screen.write(b"one\r\n\x1b[1;35mtwo\x1b[0m x\x08y\r\n");
    assert_eq!(screen.text(), "one\ntwo y");
    screen.write(b"123456789012\r\n\xc3");
    screen.write(b"\xa9\x1b[A\x1b[K");
    assert_eq!(screen.text(), "1234567890\n1\né");
}
