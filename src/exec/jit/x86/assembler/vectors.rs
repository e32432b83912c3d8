//! Instructions of vectors or masks.
//!
//! They are as short as they can be, but for distances in instructions with an EVEX prefix, which count in lengths that
//! differ from instruction to instruction: only loads, stores and copies of whole vectors have short ones.

use super::super::rows;
use super::{Assembler, Gpr, Immediate, InstructionRow, Masking, Memory, RSP, Rm, VectorBits, Writes, shown};

impl Assembler {
    /// An instruction of a register and perhaps others; `reg` and `first` are numbers of vector registers, or of mask
    /// registers where the instruction says so.
    pub(in super::super) fn evex(
        &mut self,
        row: InstructionRow,
        length: VectorBits,
        (writes, reg, first, last): (Writes, u8, Option<u8>, Rm),
        masked: Option<Masking>,
        immediate: Option<u8>,
    ) {
        let second = first.unwrap_or(0);
        let (extra, base) = extensions(last);
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
        let read = match last {
            Rm::Memory(Memory::Lane(_)) => row.lane.unwrap_or(8),
            Rm::Register(_) | Rm::Memory(_) => length.bytes(),
        };
        let unit = if row.is_copy() { Some(length.bytes()) } else { None };
        self.operands(reg, last, (usize::from(immediate.is_some()), read), unit);
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

    /// Writes an instruction of a register and perhaps others, with a VEX prefix.
    pub(in super::super) fn vector(
        &mut self,
        row: InstructionRow,
        length: VectorBits,
        (writes, reg, first, last): (Writes, u8, Option<u8>, Rm),
        immediate: Option<Immediate>,
    ) {
        debug_assert!(length <= VectorBits::Ymm && reg < 16 && !matches!(last, Rm::Memory(Memory::Lane(_))));
        let (extra, base) = extensions(last);
        // The second bit of a register's number above seven is for EVEX alone.
        let extra = if matches!(last, Rm::Register(_)) { 0 } else { extra };
        let others = (!first.unwrap_or(0) & 15) << 3 | (length as u8) << 2 | row.prefix;
        if row.map == 1 && !row.wide && extra == 0 && base == 0 {
            self.code.extend([0xc5, inverted(reg >> 3, 7) | others, row.code]);
        } else {
            let registers = inverted(reg >> 3, 7) | inverted(extra, 6) | inverted(base, 5);
            self.code.extend([0xc4, registers | row.map, u8::from(row.wide) << 7 | others, row.code]);
        }
        self.operands(reg, last, (usize::from(immediate.is_some()), length.bytes()), Some(1));
        self.code.extend(immediate.map(Immediate::encoded));
        self.line(|| {
            let of = |number: u8| format!("{}mm{number}", length.letter());
            let last = match last {
                Rm::Register(number) => of(number),
                Rm::Memory(memory) => shown(memory),
            };
            let operands = match (writes, first) {
                (Writes::Register, Some(first)) => format!("{}, {}, {last}", of(reg), of(first)),
                (Writes::Register, None) => format!("{}, {last}", of(reg)),
                (Writes::First, first) => format!("{}, {last}", of(first.unwrap_or(0))),
                (Writes::Last, Some(first)) => format!("{last}, {}, {}", of(first), of(reg)),
                (Writes::Last, None) => format!("{last}, {}", of(reg)),
            };
            let immediate = match immediate {
                Some(Immediate::Register(number)) => format!(", {}", of(number)),
                Some(Immediate::Byte(byte)) => format!(", {byte}"),
                None => String::new(),
            };
            format!("{} {operands}{immediate}", row.avx2.unwrap_or(row.name))
        });
    }

    /// A word of four bytes of a vector's lower half.
    pub(in super::super) fn word(&mut self, to: Gpr, from: u8, number: u8) {
        // The general register stands where the last operand does.
        let (row, immediate) = match number {
            0 => (rows::avx2::STORE_WORD, None),
            _ => (rows::avx2::EXTRACT_WORD, Some(number)),
        };
        self.code.extend([
            0xc4,
            inverted(from >> 3, 7) | 1 << 6 | inverted(to.0 >> 3, 5) | row.map,
            0x78 | row.prefix,
            row.code,
            0xc0 | (from & 7) << 3 | to.0 & 7,
        ]);
        self.code.extend(immediate);
        self.line(|| {
            let immediate = immediate.map_or(String::new(), |number| format!(", {number}"));
            format!("{} {to}, xmm{from}{immediate}", row.name)
        });
    }

    /// Writes the bytes that say where the operands are. `rest` bytes of the instruction follow them, and the
    /// instruction reads `read` bytes of memory. Short distances count in steps of `unit` bytes, if there are short
    /// ones.
    pub(super) fn operands(&mut self, reg: u8, last: Rm, (rest, read): (usize, usize), unit: Option<usize>) {
        let reg = (reg & 7) << 3;
        match last {
            Rm::Register(number) => self.code.push(0xc0 | reg | number & 7),
            Rm::Memory(Memory::Pool(vector) | Memory::Part(vector, _) | Memory::Lane(vector)) => {
                let read = if let Rm::Memory(Memory::Part(_, part)) = last { part } else { read };
                self.read[vector] = self.read[vector].max(read);
                self.code.push(reg | 5);
                self.distances.push((self.code.len(), vector, rest));
                self.code.extend([0; 4]);
            }
            Rm::Memory(Memory::At { base, index, offset }) => {
                let short = unit.filter(|&unit| offset % unit as i32 == 0);
                let short = short.and_then(|unit| i8::try_from(offset / unit as i32).ok());
                // This base without a distance is something else.
                let (form, bytes): (u8, &[u8]) = match (offset, short) {
                    (0, _) if base.0 & 7 != 5 => (0, &[]),
                    (0, _) => (0x40, &[0]),
                    (_, Some(short)) => (0x40, &short.to_le_bytes()),
                    _ => (0x80, &offset.to_le_bytes()),
                };
                match index {
                    None if base.0 & 7 != RSP.0 => self.code.push(form | reg | base.0 & 7),
                    _ => {
                        let (index, scale) = index.unwrap_or((RSP, 1));
                        self.code.push(form | reg | 4);
                        self.code.push((scale.trailing_zeros() as u8) << 6 | (index.0 & 7) << 3 | base.0 & 7);
                    }
                }
                self.code.extend(bytes);
            }
        }
    }

    /// An instruction of masks alone: `reg = row(first, last)`.
    pub(in super::super) fn mask(
        &mut self,
        row: InstructionRow,
        reg: u8,
        first: Option<u8>,
        last: u8,
        immediate: Option<u8>,
    ) {
        let long = u8::from(first.is_some()) << 2;
        self.vex(row, reg, first.unwrap_or(0), last, long);
        self.code.extend(immediate);
        self.line(|| {
            let first = first.map_or(String::new(), |first| format!(", k{first}"));
            let immediate = immediate.map_or(String::new(), |byte| format!(", {byte}"));
            format!("{} k{reg}{first}, k{last}{immediate}", row.name)
        });
    }

    /// Loads or stores a mask.
    pub(in super::super) fn mask_in_memory(&mut self, row: InstructionRow, reg: u8, memory: Memory) {
        let (extra, base) = extensions(Rm::Memory(memory));
        self.code.extend([
            0xc4,
            inverted(reg >> 3, 7) | inverted(extra, 6) | inverted(base, 5) | row.map,
            u8::from(row.wide) << 7 | 0x78 | row.prefix,
            row.code,
        ]);
        self.operands(reg, Rm::Memory(memory), (0, 8), Some(1));
        self.line(|| match row == rows::KLOAD {
            true => format!("{} k{reg}, {}", row.name, shown(memory)),
            false => format!("{} {}, k{reg}", row.name, shown(memory)),
        });
    }

    /// A mask from a general register.
    pub(in super::super) fn mask_of(&mut self, reg: u8, from: Gpr) {
        self.vex(rows::KMOV, reg, 0, from.0, 0);
        self.line(|| format!("kmovq k{reg}, {from}"));
    }

    pub(super) fn vex(&mut self, row: InstructionRow, reg: u8, first: u8, last: u8, long: u8) {
        self.code.extend([
            0xc4,
            inverted(reg >> 3, 7) | 1 << 6 | inverted(last >> 3, 5) | row.map,
            u8::from(row.wide) << 7 | (!first & 15) << 3 | long | row.prefix,
            row.code,
            0xc0 | (reg & 7) << 3 | last & 7,
        ]);
    }
}

/// A bit of a prefix, which stands there inverted.
fn inverted(bit: u8, place: u8) -> u8 {
    (bit & 1 ^ 1) << place
}

/// The upper bits of the numbers of registers in the last operand: of the index, or the uppermost of a vector; of the
/// base, or the next of a vector.
fn extensions(last: Rm) -> (u8, u8) {
    match last {
        Rm::Register(number) => (number >> 4 & 1, number >> 3 & 1),
        Rm::Memory(Memory::At { base, index, .. }) => (index.map_or(0, |(index, _)| index.0 >> 3), base.0 >> 3),
        Rm::Memory(Memory::Pool(_) | Memory::Part(..) | Memory::Lane(_)) => (0, 0),
    }
}
