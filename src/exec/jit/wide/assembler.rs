//! Machine code, instruction by instruction: vector instructions with an EVEX prefix, masks with a VEX prefix, and the
//! few others that a loop needs.
//!
//! Of every instruction a line of text is kept too, if wanted.

use super::rows;
use std::fmt::Display;
use std::hash::{Hash, Hasher};

/// A vector instruction.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    /// For people.
    pub(super) name: &'static str,
    /// 1 for `0F`, 2 for `0F38`, 3 for `0F3A`.
    pub(super) map: u8,
    /// The prefix: 0 for none, 1 for `66`, 2 for `F3`, 3 for `F2`.
    pub(super) prefix: u8,
    pub(super) wide: bool,
    pub(super) code: u8,
    /// The bytes of a lane, if one of them in memory may stand for all lanes of the last operand.
    pub(super) lane: Option<usize>,
}

impl PartialEq for Row {
    fn eq(&self, other: &Row) -> bool {
        self.encoding() == other.encoding()
    }
}

impl Eq for Row {}

impl Hash for Row {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.encoding().hash(state);
    }
}

impl Row {
    /// What tells it from all others.
    fn encoding(self) -> u32 {
        u32::from_le_bytes([self.map, self.prefix, u8::from(self.wide), self.code])
    }

    /// Whether the result is a mask.
    fn makes_mask(self) -> bool {
        ["vcmp", "vpcmp", "vptest", "vfpclass"].iter().any(|test| self.name.starts_with(test))
    }
}

/// The bits of a vector that an instruction works on.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Length {
    Xmm = 0,
    Ymm = 1,
    Zmm = 2,
}

impl Length {
    /// The shortest that has so many bytes.
    pub(super) fn of(bytes: usize) -> Length {
        match bytes {
            0..=16 => Length::Xmm,
            17..=32 => Length::Ymm,
            _ => Length::Zmm,
        }
    }

    pub(super) fn bytes(self) -> usize {
        16 << self as usize
    }

    fn letter(self) -> char {
        ['x', 'y', 'z'][self as usize]
    }
}

/// A general register.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Gpr(pub(super) u8);

pub(super) const RAX: Gpr = Gpr(0);
pub(super) const RCX: Gpr = Gpr(1);
pub(super) const RDX: Gpr = Gpr(2);
pub(super) const RSI: Gpr = Gpr(6);
pub(super) const RDI: Gpr = Gpr(7);
pub(super) const RSP: Gpr = Gpr(4);
pub(super) const R8: Gpr = Gpr(8);
pub(super) const R9: Gpr = Gpr(9);

impl Display for Gpr {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let old = ["rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi"];
        match old.get(self.0 as usize) {
            Some(name) => f.write_str(name),
            None => write!(f, "r{}", self.0),
        }
    }
}

/// A place in memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Memory {
    /// `[base + index * scale + offset]`, the scale 1, 2, 4 or 8.
    At { base: Gpr, index: Option<(Gpr, u8)>, offset: i32 },
    /// A vector of the pool behind the code.
    Pool(usize),
    /// The first lane of such a vector, for all.
    Lane(usize),
}

/// What an instruction reads last.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Rm {
    Register(u8),
    Memory(Memory),
}

/// Which operand an instruction writes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Writes {
    Register,
    /// The first operand; what stands for the register is a digit of the opcode.
    First,
    Last,
}

/// A mask for an instruction's result: lanes outside it are zeroed, or left as they were.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Masked {
    pub(super) register: u8,
    pub(super) zeroing: bool,
}

/// A place in the code to jump to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Label(usize);

/// When to jump.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum When {
    Always,
    /// More, signed.
    More,
    NotLess,
    AtMost,
    /// What was compared differs; of masks: there are lanes.
    Differs,
    /// What was compared is equal, or what was counted is nothing.
    Equal,
}

/// Code in the making.
#[derive(Default)]
pub(super) struct Assembler {
    code: Vec<u8>,
    text: Option<String>,
    labels: Vec<Option<usize>>,
    /// Four bytes to fill with the distance to a label.
    jumps: Vec<(usize, Label)>,
    /// Four bytes to fill with the distance to a vector of the pool, and how many bytes follow them in the instruction.
    pooled: Vec<(usize, usize, usize)>,
    pool: Vec<[u8; 64]>,
}

/// Bytes of a vector of the pool.
const VECTOR: usize = 64;

/// Loops begin at multiples of so many bytes.
const ALIGNMENT: usize = 32;

/// An instruction that does nothing, of each length.
const IDLE: [&[u8]; 8] = [
    &[0x90],
    &[0x66, 0x90],
    &[0x0f, 0x1f, 0x00],
    &[0x0f, 0x1f, 0x40, 0x00],
    &[0x0f, 0x1f, 0x44, 0x00, 0x00],
    &[0x66, 0x0f, 0x1f, 0x44, 0x00, 0x00],
    &[0x0f, 0x1f, 0x80, 0x00, 0x00, 0x00, 0x00],
    &[0x0f, 0x1f, 0x84, 0x00, 0x00, 0x00, 0x00, 0x00],
];

impl Assembler {
    /// Code whose text is kept.
    pub(super) fn listing() -> Assembler {
        Assembler { text: Some(String::new()), ..Assembler::default() }
    }

    /// The text so far.
    pub(super) fn text(&self) -> &str {
        self.text.as_deref().unwrap_or_default()
    }

    fn line(&mut self, line: impl FnOnce() -> String) {
        if let Some(text) = &mut self.text {
            text.push_str("  ");
            text.push_str(&line());
            text.push('\n');
        }
    }

    /// A vector of the pool.
    pub(super) fn vector(&mut self, bytes: [u8; 64]) -> usize {
        self.pool.iter().position(|known| *known == bytes).unwrap_or_else(|| {
            self.pool.push(bytes);
            self.pool.len() - 1
        })
    }

    /// The code and the pool behind it, with all distances filled in.
    pub(super) fn finish(mut self) -> Vec<u8> {
        for &(at, label) in &self.jumps {
            let target = self.labels[label.0].expect("every label is placed");
            let distance = target as i32 - (at as i32 + 4);
            self.code[at..at + 4].copy_from_slice(&distance.to_le_bytes());
        }
        if self.pool.is_empty() {
            return self.code;
        }
        let begin = self.code.len().next_multiple_of(VECTOR);
        for &(at, vector, rest) in &self.pooled {
            let distance = (begin + vector * VECTOR) as i32 - (at + 4 + rest) as i32;
            self.code[at..at + 4].copy_from_slice(&distance.to_le_bytes());
        }
        self.code.resize(begin, 0xcc);
        self.code.extend(self.pool.iter().flatten());
        self.code
    }

    // ---- Vectors

    /// An instruction of a register and perhaps others; `reg` and `first` are numbers of vector registers, or of mask
    /// registers where the instruction says so.
    pub(super) fn evex(
        &mut self,
        row: Row,
        length: Length,
        (writes, reg, first, last): (Writes, u8, Option<u8>, Rm),
        masked: Option<Masked>,
        immediate: Option<u8>,
    ) {
        let second = first.unwrap_or(0);
        let (extra, base) = match last {
            Rm::Register(number) => (number >> 4 & 1, number >> 3 & 1),
            Rm::Memory(Memory::At { base, index, .. }) => (index.map_or(0, |(index, _)| index.0 >> 3), base.0 >> 3),
            Rm::Memory(Memory::Pool(_) | Memory::Lane(_)) => (0, 0),
        };
        let inverted = |bit: u8, place: u8| (bit & 1 ^ 1) << place;
        self.code.extend([
            0x62,
            inverted(reg >> 3, 7) | inverted(extra, 6) | inverted(base, 5) | inverted(reg >> 4, 4) | row.map,
            u8::from(row.wide) << 7 | (!second & 15) << 3 | 4 | row.prefix,
            u8::from(masked.is_some_and(|mask| mask.zeroing)) << 7
                | (length as u8) << 5
                | u8::from(matches!(last, Rm::Memory(Memory::Lane(_)))) << 4
                | inverted(second >> 4, 3)
                | masked.map_or(0, |mask| mask.register),
            row.code,
        ]);
        self.operands(reg, last, usize::from(immediate.is_some()));
        self.code.extend(immediate);
        self.line(|| {
            let of = |number: u8| format!("{}mm{number}", length.letter());
            let mask = masked.map_or(String::new(), |mask| {
                format!(" {{k{}}}{}", mask.register, if mask.zeroing { "{z}" } else { "" })
            });
            let last = match last {
                Rm::Register(number) => of(number),
                Rm::Memory(memory) => shown(memory),
            };
            let reg = if row.makes_mask() { format!("k{reg}") } else { of(reg) };
            let operands = match (writes, first) {
                (Writes::Register, Some(first)) => format!("{reg}{mask}, {}, {last}", of(first)),
                (Writes::Register, None) => format!("{reg}{mask}, {last}"),
                (Writes::First, first) => format!("{}{mask}, {last}", of(first.unwrap_or(0))),
                (Writes::Last, _) => format!("{last}{mask}, {reg}"),
            };
            let immediate = immediate.map_or(String::new(), |byte| format!(", {byte}"));
            format!("{} {operands}{immediate}", row.name)
        });
    }

    /// The bytes that say where the operands are; `rest` bytes follow them. Distances take four bytes.
    fn operands(&mut self, reg: u8, last: Rm, rest: usize) {
        let reg = (reg & 7) << 3;
        match last {
            Rm::Register(number) => self.code.push(0xc0 | reg | number & 7),
            Rm::Memory(Memory::Pool(vector) | Memory::Lane(vector)) => {
                self.code.push(reg | 5);
                self.pooled.push((self.code.len(), vector, rest));
                self.code.extend([0; 4]);
            }
            Rm::Memory(Memory::At { base, index, offset }) => {
                match index {
                    None if base.0 & 7 != RSP.0 => self.code.push(0x80 | reg | base.0 & 7),
                    _ => {
                        let (index, scale) = index.unwrap_or((RSP, 1));
                        self.code.push(0x80 | reg | 4);
                        self.code.push((scale.trailing_zeros() as u8) << 6 | (index.0 & 7) << 3 | base.0 & 7);
                    }
                }
                self.code.extend(offset.to_le_bytes());
            }
        }
    }

    // ---- Masks

    /// An instruction of masks alone: `reg = row(first, last)`.
    pub(super) fn mask(&mut self, row: Row, reg: u8, first: Option<u8>, last: u8, immediate: Option<u8>) {
        let long = u8::from(first.is_some()) << 2;
        self.vex(row, reg, first.unwrap_or(0), last, long);
        self.code.extend(immediate);
        self.line(|| {
            let first = first.map_or(String::new(), |first| format!(", k{first}"));
            let immediate = immediate.map_or(String::new(), |byte| format!(", {byte}"));
            format!("{} k{reg}{first}, k{last}{immediate}", row.name)
        });
    }

    /// A mask from a general register.
    pub(super) fn mask_of(&mut self, reg: u8, from: Gpr) {
        self.vex(rows::KMOV, reg, 0, from.0, 0);
        self.line(|| format!("kmovq k{reg}, {from}"));
    }

    fn vex(&mut self, row: Row, reg: u8, first: u8, last: u8, long: u8) {
        self.code.extend([
            0xc4,
            (reg >> 3 & 1 ^ 1) << 7 | 1 << 6 | (last >> 3 & 1 ^ 1) << 5 | row.map,
            u8::from(row.wide) << 7 | (!first & 15) << 3 | long | row.prefix,
            row.code,
            0xc0 | (reg & 7) << 3 | last & 7,
        ]);
    }

    // ---- Everything else

    fn rex(&mut self, reg: u8, index: u8, base: u8) {
        self.code.push(0x48 | (reg >> 3 & 1) << 2 | (index >> 3 & 1) << 1 | base >> 3 & 1);
    }

    /// An instruction of 64 bits with one opcode byte and a place in memory.
    fn general(&mut self, code: u8, reg: Gpr, memory: Memory) {
        let Memory::At { base, index, .. } = memory else { unreachable!("the pool holds vectors") };
        self.rex(reg.0, index.map_or(0, |(index, _)| index.0), base.0);
        self.code.push(code);
        self.operands(reg.0, Rm::Memory(memory), 0);
    }

    /// An instruction of 64 bits on two registers.
    fn pair(&mut self, code: u8, name: &str, to: Gpr, from: Gpr) {
        self.rex(from.0, 0, to.0);
        self.code.extend([code, 0xc0 | (from.0 & 7) << 3 | to.0 & 7]);
        self.line(|| format!("{name} {to}, {from}"));
    }

    pub(super) fn load(&mut self, to: Gpr, from: Memory) {
        self.general(0x8b, to, from);
        self.line(|| format!("mov {to}, {}", shown(from)));
    }

    /// Adds what a place holds.
    pub(super) fn add_from(&mut self, to: Gpr, from: Memory) {
        self.general(0x03, to, from);
        self.line(|| format!("add {to}, {}", shown(from)));
    }

    /// Counts a place down by one.
    pub(super) fn decrement(&mut self, place: Memory) {
        // The digit of the opcode stands where a register would.
        self.general(0xff, Gpr(1), place);
        self.line(|| format!("dec qword {}", shown(place)));
    }

    /// The address of a place.
    pub(super) fn address(&mut self, to: Gpr, of: Memory) {
        self.general(0x8d, to, of);
        self.line(|| format!("lea {to}, {}", shown(of)));
    }

    pub(super) fn copy(&mut self, to: Gpr, from: Gpr) {
        self.pair(0x89, "mov", to, from);
    }

    pub(super) fn subtract(&mut self, to: Gpr, other: Gpr) {
        self.pair(0x29, "sub", to, other);
    }

    pub(super) fn compare(&mut self, one: Gpr, other: Gpr) {
        self.pair(0x39, "cmp", one, other);
    }

    pub(super) fn clear(&mut self, to: Gpr) {
        self.pair(0x31, "xor", to, to);
    }

    pub(super) fn set(&mut self, to: Gpr, value: i32) {
        self.rex(0, 0, to.0);
        self.code.extend([0xc7, 0xc0 | to.0 & 7]);
        self.code.extend(value.to_le_bytes());
        self.line(|| format!("mov {to}, {value}"));
    }

    pub(super) fn add(&mut self, to: Gpr, value: i32) {
        self.rex(0, 0, to.0);
        self.code.extend([0x81, 0xc0 | to.0 & 7]);
        self.code.extend(value.to_le_bytes());
        self.line(|| format!("add {to}, {value}"));
    }

    /// The lowest bits of `from`, as many as the last byte of `count` says.
    pub(super) fn low_bits(&mut self, to: Gpr, from: Gpr, count: Gpr) {
        self.vex(rows::LOW_BITS, to.0, count.0, from.0, 0);
        self.line(|| format!("bzhi {to}, {from}, {count}"));
    }

    pub(super) fn push(&mut self, register: Gpr) {
        self.stack(0x50, "push", register);
    }

    pub(super) fn pop(&mut self, register: Gpr) {
        self.stack(0x58, "pop", register);
    }

    fn stack(&mut self, code: u8, name: &str, register: Gpr) {
        self.code.extend([0x40 | register.0 >> 3, code | register.0 & 7]);
        self.line(|| format!("{name} {register}"));
    }

    /// Leaves the function; the upper halves of vector registers are clean, as others expect.
    pub(super) fn leave(&mut self) {
        self.code.extend([0xc5, 0xf8, 0x77, 0xc3]);
        self.line(|| "vzeroupper".to_owned());
        self.line(|| "ret".to_owned());
    }

    pub(super) fn label(&mut self) -> Label {
        self.labels.push(None);
        Label(self.labels.len() - 1)
    }

    pub(super) fn place(&mut self, label: Label) {
        self.labels[label.0] = Some(self.code.len());
        if let Some(text) = &mut self.text {
            text.push_str(&format!("L{}:\n", label.0));
        }
    }

    /// Fills with instructions that do nothing, as few as can be, up to where loops run best.
    pub(super) fn align(&mut self) {
        let mut left = self.code.len().wrapping_neg() % ALIGNMENT;
        while left > 0 {
            let idle = IDLE[left.min(IDLE.len()) - 1];
            self.code.extend(idle);
            left -= idle.len();
        }
    }

    pub(super) fn jump(&mut self, when: When, to: Label) {
        let (name, code): (_, &[u8]) = match when {
            When::Always => ("jmp", &[0xe9]),
            When::More => ("jg", &[0x0f, 0x8f]),
            When::NotLess => ("jge", &[0x0f, 0x8d]),
            When::AtMost => ("jle", &[0x0f, 0x8e]),
            When::Differs => ("jne", &[0x0f, 0x85]),
            When::Equal => ("je", &[0x0f, 0x84]),
        };
        self.code.extend(code);
        self.jumps.push((self.code.len(), to));
        self.code.extend([0; 4]);
        self.line(|| format!("{name} L{}", to.0));
    }
}

fn shown(memory: Memory) -> String {
    match memory {
        Memory::Pool(vector) => format!("[constant {vector}]"),
        Memory::Lane(vector) => format!("each [constant {vector}]"),
        Memory::At { base, index, offset } => {
            let index = index.map_or(String::new(), |(index, scale)| format!(" + {index}*{scale}"));
            let offset = match offset {
                0 => String::new(),
                offset if offset < 0 => format!(" - {}", -offset),
                offset => format!(" + {offset}"),
            };
            format!("[{base}{index}{offset}]")
        }
    }
}
