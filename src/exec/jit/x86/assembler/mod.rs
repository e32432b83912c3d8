//! Machine code, instruction by instruction. There are [`vectors`] with an EVEX prefix, or with a VEX prefix where
//! there is only AVX2; masks with a VEX prefix; and the few [`general`] ones that a loop needs.
//!
//! Of every instruction a line of text is kept too, if wanted.

mod general;
#[cfg(feature = "object")]
mod shorten;
mod vectors;

use std::fmt::Display;
use std::fmt::Write;
use std::hash::{Hash, Hasher};

/// A vector instruction.
#[derive(Clone, Copy, Debug)]
pub(super) struct InstructionRow {
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
    /// What AVX2 calls it, if it has it; its encoding then differs in nothing but the prefix.
    pub(super) avx2: Option<&'static str>,
}

impl PartialEq for InstructionRow {
    fn eq(&self, other: &InstructionRow) -> bool {
        self.encoding() == other.encoding()
    }
}

impl Eq for InstructionRow {}

impl Hash for InstructionRow {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.encoding().hash(state);
    }
}

impl InstructionRow {
    /// What tells it from all others.
    fn encoding(self) -> u32 {
        u32::from_le_bytes([self.map, self.prefix, u8::from(self.wide), self.code])
    }

    /// Whether it copies whole vectors.
    fn is_copy(self) -> bool {
        ["vmovdqu", "vmovntdq"].iter().any(|copy| self.name.starts_with(copy))
    }

    /// Whether the result is a mask.
    fn makes_mask(self) -> bool {
        ["vcmp", "vpcmp", "vptest", "vfpclass"].iter().any(|test| self.name.starts_with(test))
    }
}

/// The bits of a vector that an instruction works on.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum VectorBits {
    Xmm = 0,
    Ymm = 1,
    Zmm = 2,
}

impl VectorBits {
    /// The shortest vector that has at least `bytes` bytes, if any has.
    pub(super) fn of(bytes: usize) -> VectorBits {
        match bytes {
            0..=16 => VectorBits::Xmm,
            17..=32 => VectorBits::Ymm,
            _ => VectorBits::Zmm,
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
    /// The first bytes of such a vector.
    Part(usize, usize),
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
pub(super) struct Masking {
    pub(super) register: u8,
    pub(super) zeroing: bool,
}

/// The byte behind an instruction with a VEX prefix.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Immediate {
    Byte(u8),
    /// The number of a fourth register.
    Register(u8),
}

impl Immediate {
    fn encoded(self) -> u8 {
        match self {
            Immediate::Byte(byte) => byte,
            Immediate::Register(number) => number << 4,
        }
    }
}

/// A place in the code to jump to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct CodeLabel(usize);

/// When to jump.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum JumpCondition {
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
    jumps: Vec<(usize, CodeLabel)>,
    /// One byte to fill with the distance to a label that is near.
    near: Vec<(usize, CodeLabel)>,
    /// Where instructions are that do nothing, and their bytes.
    fills: Vec<(usize, usize)>,
    /// Four bytes to fill with the distance to a vector of the pool, and how many bytes follow them in the instruction.
    distances: Vec<(usize, usize, usize)>,
    pool: Vec<[u8; VECTOR]>,
    /// How many bytes of each vector of the pool are read: the others are not written.
    read: Vec<usize>,
    /// Of code that is linked elsewhere: four bytes to fill with the distance to a function, and its number.
    links: Option<Vec<(usize, usize)>>,
}

/// A place where code that is linked elsewhere reads constants.
#[cfg(feature = "object")]
pub(in crate::exec::jit) struct LinkedConstant {
    /// Where four bytes wait for the distance to it.
    pub(in crate::exec::jit) at: usize,
    /// How many bytes of the instruction follow them.
    pub(in crate::exec::jit) rest: usize,
    /// What stands in memory: one constant, or all whole vectors that the code reads.
    pub(in crate::exec::jit) bytes: Vec<u8>,
    /// How far the constant is from their beginning.
    pub(in crate::exec::jit) offset: usize,
}

/// A call of code that is linked elsewhere, as text.
pub(in super::super) const CALL_ELSEWHERE: &str = "call elsewhere";

/// Bytes of a vector of the pool.
const VECTOR: usize = 64;

/// Loops begin at multiples of this many bytes.
pub(in super::super) const ALIGNMENT: usize = 32;

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

    /// Code that is linked elsewhere: functions that it calls have numbers instead of addresses. Its text is kept if
    /// wanted.
    #[cfg(feature = "object")]
    pub(super) fn for_linking(listed: bool) -> Assembler {
        Assembler { links: Some(Vec::new()), text: listed.then(String::new), ..Assembler::default() }
    }

    /// Whether the code is linked elsewhere.
    pub(super) fn is_linked(&self) -> bool {
        self.links.is_some()
    }

    /// The calls of code that is linked elsewhere: where four bytes wait for a distance, and the function's number.
    #[cfg(feature = "object")]
    pub(super) fn take_links(&mut self) -> Vec<(usize, usize)> {
        self.links.take().unwrap_or_default()
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
    pub(super) fn add_to_pool(&mut self, bytes: [u8; 64]) -> usize {
        self.pool.iter().position(|known| *known == bytes).unwrap_or_else(|| {
            self.pool.push(bytes);
            self.read.push(0);
            self.pool.len() - 1
        })
    }

    /// Vectors of the pool that stand one after the other; the first of them.
    pub(super) fn table(&mut self, bytes: &[u8]) -> usize {
        let first = self.pool.len();
        self.pool.extend(bytes.chunks(VECTOR).map(|part| {
            let mut vector = [0; VECTOR];
            vector[..part.len()].copy_from_slice(part);
            vector
        }));
        self.read.resize(self.pool.len(), VECTOR);
        first
    }

    /// Where each vector of the pool is, and the bytes of it all. The longest come first, so that each begins at a
    /// multiple of its length and whole ones stand one after the other.
    fn laid_pool(&self) -> (Vec<usize>, Vec<u8>) {
        let mut order: Vec<usize> = (0..self.pool.len()).filter(|&vector| self.read[vector] > 0).collect();
        order.sort_by_key(|&vector| std::cmp::Reverse(self.read[vector]));
        let (mut places, mut bytes) = (vec![0; self.pool.len()], Vec::new());
        for vector in order {
            places[vector] = bytes.len();
            bytes.extend(&self.pool[vector][..self.read[vector]]);
        }
        (places, bytes)
    }

    /// What code that is linked elsewhere reads of its pool. Nothing of the pool stands behind the code then.
    #[cfg(feature = "object")]
    pub(super) fn take_constants(&mut self) -> Vec<LinkedConstant> {
        let (places, pool) = self.laid_pool();
        let whole = VECTOR * self.read.iter().filter(|&&read| read == VECTOR).count();
        let one = |(at, vector, rest): (usize, usize, usize)| match self.read[vector] {
            VECTOR => LinkedConstant { at, rest, bytes: pool[..whole].to_vec(), offset: places[vector] },
            read => LinkedConstant { at, rest, bytes: pool[places[vector]..][..read].to_vec(), offset: 0 },
        };
        std::mem::take(&mut self.distances).into_iter().map(one).collect()
    }

    /// The code and the pool behind it, with all distances filled in.
    pub(super) fn finish(mut self) -> Vec<u8> {
        for &(at, label) in &self.jumps {
            let target = self.labels[label.0].expect("every label is placed");
            let distance = target as i32 - (at as i32 + 4);
            self.code[at..at + 4].copy_from_slice(&distance.to_le_bytes());
        }
        for &(at, label) in &self.near {
            let target = self.labels[label.0].expect("every label is placed");
            self.code[at] = (target as isize - at as isize - 1) as u8;
        }
        if self.distances.is_empty() {
            return self.code;
        }
        let (places, pool) = self.laid_pool();
        let Some(&longest) = self.read.iter().max().filter(|longest| **longest > 0) else { return self.code };
        let begin = self.code.len().next_multiple_of(longest);
        for &(at, vector, rest) in &self.distances {
            let distance = (begin + places[vector]) as i32 - (at + 4 + rest) as i32;
            self.code[at..at + 4].copy_from_slice(&distance.to_le_bytes());
        }
        self.code.resize(begin, 0xcc);
        self.code.extend(pool);
        self.code
    }

    /// Leaves the function; the upper halves of vector registers are clean, as others expect.
    pub(super) fn leave(&mut self) {
        self.clean();
        self.code.push(0xc3);
        self.line(|| "ret".to_owned());
    }

    /// Ends a function of this code's own.
    pub(super) fn end(&mut self) {
        self.code.push(0xc3);
        self.line(|| "ret".to_owned());
    }

    /// Calls a function of this code's own.
    pub(super) fn call_label(&mut self, to: CodeLabel) {
        self.code.push(0xe8);
        self.jumps.push((self.code.len(), to));
        self.code.extend([0; 4]);
        self.line(|| format!("call L{}", to.0));
    }

    /// Clears the upper halves of vector registers.
    fn clean(&mut self) {
        self.code.extend([0xc5, 0xf8, 0x77]);
        self.line(|| "vzeroupper".to_owned());
    }

    pub(super) fn label(&mut self) -> CodeLabel {
        self.labels.push(None);
        CodeLabel(self.labels.len() - 1)
    }

    pub(super) fn place(&mut self, label: CodeLabel) {
        self.labels[label.0] = Some(self.code.len());
        if let Some(text) = &mut self.text {
            let _ = writeln!(text, "L{}:", label.0);
        }
    }

    /// Fills with instructions that do nothing, as few as can be, up to where loops run best.
    pub(super) fn align(&mut self) {
        let bytes = self.code.len().wrapping_neg() % ALIGNMENT;
        self.fills.push((self.code.len(), bytes));
        idle(&mut self.code, bytes);
    }

    pub(super) fn jump(&mut self, when: JumpCondition, to: CodeLabel) {
        let (name, short) = match when {
            JumpCondition::Always => ("jmp", 0xeb),
            JumpCondition::More => ("jg", 0x7f),
            JumpCondition::NotLess => ("jge", 0x7d),
            JumpCondition::AtMost => ("jle", 0x7e),
            JumpCondition::Differs => ("jne", 0x75),
            JumpCondition::Equal => ("je", 0x74),
        };
        self.line(|| format!("{name} L{}", to.0));
        let back = self.labels[to.0].map(|target| target as isize - self.code.len() as isize - 2);
        if let Some(distance) = back.and_then(|back| i8::try_from(back).ok()) {
            self.near.push((self.code.len() + 1, to));
            self.code.extend([short, distance as u8]);
            return;
        }
        match when {
            JumpCondition::Always => self.code.push(0xe9),
            JumpCondition::More
            | JumpCondition::NotLess
            | JumpCondition::AtMost
            | JumpCondition::Differs
            | JumpCondition::Equal => {
                self.code.extend([0x0f, short + 0x10]);
            }
        }
        self.jumps.push((self.code.len(), to));
        self.code.extend([0; 4]);
    }
}

/// Adds so many bytes of instructions that do nothing, as few as can be.
fn idle(code: &mut Vec<u8>, mut bytes: usize) {
    while bytes > 0 {
        let one = IDLE[bytes.min(IDLE.len()) - 1];
        code.extend(one);
        bytes -= one.len();
    }
}

fn shown(memory: Memory) -> String {
    match memory {
        Memory::Pool(vector) | Memory::Part(vector, _) => format!("[constant {vector}]"),
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
