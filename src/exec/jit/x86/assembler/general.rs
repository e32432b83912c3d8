//! Instructions of general registers.

use super::super::rows;
use super::{Assembler, CALL_ELSEWHERE, Gpr, Memory, Rm, VECTOR, shown};

impl Assembler {
    fn rex(&mut self, reg: u8, index: u8, base: u8) {
        self.code.push(0x48 | (reg >> 3 & 1) << 2 | (index >> 3 & 1) << 1 | base >> 3 & 1);
    }

    /// An instruction of 64 bits with one opcode byte and a place in memory.
    fn general(&mut self, code: u8, reg: Gpr, memory: Memory) {
        let (index, base) = match memory {
            Memory::At { base, index, .. } => (index.map_or(0, |(index, _)| index.0), base.0),
            Memory::Pool(_) | Memory::Part(..) | Memory::Lane(_) => (0, 0),
        };
        self.rex(reg.0, index, base);
        self.code.push(code);
        // What leads to a vector is perhaps a table's beginning: all of it is there.
        self.operands(reg.0, Rm::Memory(memory), (0, VECTOR), Some(1));
    }

    /// An instruction of 64 bits on two registers.
    fn pair(&mut self, code: u8, name: &str, to: Gpr, from: Gpr) {
        self.rex(from.0, 0, to.0);
        self.code.extend([code, 0xc0 | (from.0 & 7) << 3 | to.0 & 7]);
        self.line(|| format!("{name} {to}, {from}"));
    }

    pub(in super::super) fn load(&mut self, to: Gpr, from: Memory) {
        self.general(0x8b, to, from);
        self.line(|| format!("mov {to}, {}", shown(from)));
    }

    pub(in super::super) fn store(&mut self, from: Gpr, to: Memory) {
        self.general(0x89, from, to);
        self.line(|| format!("mov {}, {from}", shown(to)));
    }

    pub(in super::super) fn multiply(&mut self, to: Gpr, other: Gpr) {
        self.rex(to.0, 0, other.0);
        self.code.extend([0x0f, 0xaf, 0xc0 | (to.0 & 7) << 3 | other.0 & 7]);
        self.line(|| format!("imul {to}, {other}"));
    }

    /// Multiplies by what a place holds, which no index leads to.
    pub(in super::super) fn multiply_from(&mut self, to: Gpr, from: Memory) {
        let Memory::At { base, .. } = from else { unreachable!("the pool holds vectors") };
        self.rex(to.0, 0, base.0);
        self.code.extend([0x0f, 0xaf]);
        self.operands(to.0, Rm::Memory(from), (0, 8), Some(1));
        self.line(|| format!("imul {to}, {}", shown(from)));
    }

    /// Adds what a place holds.
    pub(in super::super) fn add_from(&mut self, to: Gpr, from: Memory) {
        self.general(0x03, to, from);
        self.line(|| format!("add {to}, {}", shown(from)));
    }

    /// Counts a place down by one.
    pub(in super::super) fn decrement(&mut self, place: Memory) {
        // The digit of the opcode stands where a register would.
        self.general(0xff, Gpr(1), place);
        self.line(|| format!("dec qword {}", shown(place)));
    }

    /// The address of a place.
    pub(in super::super) fn address(&mut self, to: Gpr, of: Memory) {
        self.general(0x8d, to, of);
        self.line(|| format!("lea {to}, {}", shown(of)));
    }

    pub(in super::super) fn copy(&mut self, to: Gpr, from: Gpr) {
        self.pair(0x89, "mov", to, from);
    }

    pub(in super::super) fn subtract(&mut self, to: Gpr, other: Gpr) {
        self.pair(0x29, "sub", to, other);
    }

    pub(in super::super) fn compare(&mut self, one: Gpr, other: Gpr) {
        self.pair(0x39, "cmp", one, other);
    }

    pub(in super::super) fn clear(&mut self, to: Gpr) {
        self.pair(0x31, "xor", to, to);
    }

    pub(in super::super) fn set(&mut self, to: Gpr, value: i32) {
        if value < 0 {
            self.rex(0, 0, to.0);
            self.code.extend([0xc7, 0xc0 | to.0 & 7]);
        } else {
            // The upper half becomes zero.
            if to.0 >= 8 {
                self.code.push(0x41);
            }
            self.code.push(0xb8 | to.0 & 7);
        }
        self.code.extend(value.to_le_bytes());
        self.line(|| format!("mov {to}, {value}"));
    }

    /// Calls a function by its number or its address, with clean upper halves of vector registers, as it expects.
    pub(in super::super) fn call(&mut self, number: usize, address: impl FnOnce() -> usize) {
        self.clean();
        if let Some(links) = &mut self.links {
            self.code.push(0xe8);
            links.push((self.code.len(), number));
            self.code.extend([0; 4]);
            self.line(|| CALL_ELSEWHERE.to_owned());
            return;
        }
        let address = address();
        self.code.extend([0x48, 0xb8]);
        self.code.extend((address as u64).to_le_bytes());
        self.line(|| format!("mov rax, {address:#x}"));
        self.code.extend([0xff, 0xd0]);
        self.line(|| "call rax".to_owned());
    }

    pub(in super::super) fn add(&mut self, to: Gpr, value: i32) {
        self.rex(0, 0, to.0);
        match i8::try_from(value) {
            Ok(short) => self.code.extend([0x83, 0xc0 | to.0 & 7, short as u8]),
            Err(_) => {
                self.code.extend([0x81, 0xc0 | to.0 & 7]);
                self.code.extend(value.to_le_bytes());
            }
        }
        self.line(|| format!("add {to}, {value}"));
    }

    /// The lowest bits of `from`, as many as the last byte of `count` says.
    pub(in super::super) fn low_bits(&mut self, to: Gpr, from: Gpr, count: Gpr) {
        self.vex(rows::LOW_BITS, to.0, count.0, from.0, 0);
        self.line(|| format!("bzhi {to}, {from}, {count}"));
    }

    /// Loads an element of 1, 2, 4 or 8 bytes.
    pub(in super::super) fn load_element(&mut self, bytes: usize, reg: Gpr, memory: Memory) {
        self.element(0x8a, bytes, reg, memory);
        self.line(|| format!("mov {reg}, {}", shown(memory)));
    }

    /// Stores an element of 1, 2, 4 or 8 bytes.
    pub(in super::super) fn store_element(&mut self, bytes: usize, reg: Gpr, memory: Memory) {
        self.element(0x88, bytes, reg, memory);
        self.line(|| format!("mov {}, {reg}", shown(memory)));
    }

    /// Writes the bytes of a move, of which `code` is the opcode for single bytes.
    fn element(&mut self, code: u8, bytes: usize, reg: Gpr, memory: Memory) {
        let Memory::At { base, index, .. } = memory else { unreachable!("the pool holds vectors") };
        if bytes == 2 {
            self.code.push(0x66);
        }
        // Of the first registers, with any such prefix, it is the lowest byte that counts.
        let wide = if bytes == 8 { 8 } else { 0 };
        let extra = index.map_or(0, |(index, _)| index.0 >> 3 & 1);
        self.code.push(0x40 | wide | (reg.0 >> 3 & 1) << 2 | extra << 1 | base.0 >> 3 & 1);
        self.code.push(code | u8::from(bytes > 1));
        self.operands(reg.0, Rm::Memory(memory), (0, 8), Some(1));
    }

    pub(in super::super) fn negate(&mut self, register: Gpr) {
        self.rex(0, 0, register.0);
        self.code.extend([0xf7, 0xd8 | register.0 & 7]);
        self.line(|| format!("neg {register}"));
    }

    /// Counts a register down by one.
    pub(in super::super) fn count_down(&mut self, register: Gpr) {
        self.rex(0, 0, register.0);
        self.code.extend([0xff, 0xc8 | register.0 & 7]);
        self.line(|| format!("dec {register}"));
    }

    pub(in super::super) fn push(&mut self, register: Gpr) {
        self.stack(0x50, "push", register);
    }

    pub(in super::super) fn pop(&mut self, register: Gpr) {
        self.stack(0x58, "pop", register);
    }

    fn stack(&mut self, code: u8, name: &str, register: Gpr) {
        if register.0 > 7 {
            self.code.push(0x41);
        }
        self.code.push(code | register.0 & 7);
        self.line(|| format!("{name} {register}"));
    }
}
