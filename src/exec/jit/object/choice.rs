//! The choice of the level that a function runs at: the loader asks once, before anything else runs.
//!
//! The symbol of a function with several levels is an `IFUNC`: the loader calls [`resolver`], a function of the object
//! that asks the processor what it has, and binds the name to what that returns. Nothing in the object is written for
//! it, and a call costs nothing. Asking at each call instead would cost a trap of the virtual machine, if there is one.

/// A jump to a place that is not known yet: where its distance is in the code, and how many bytes the distance has.
struct Jump(usize, usize);

/// Machine code in the making.
#[derive(Default)]
struct Bytes {
    code: Vec<u8>,
    /// Where four bytes wait for the distance to a function, and its number.
    links: Vec<(usize, usize)>,
}

/// Registers of 32 bits, by their numbers.
const EAX: u8 = 0;
const ECX: u8 = 1;
const EBX: u8 = 3;
/// The register that keeps which bits of leaf 1 the processor lacks. `cpuid` leaves this register and the next three
/// alone.
const FIRST: u8 = 8;
/// The register that keeps which state the system does not save.
const STATE: u8 = 9;
/// The register that keeps which bits of leaf 7 the processor lacks.
const SEVENTH: u8 = 11;
/// The register that keeps which bits of leaf 2^31 + 1 the processor lacks.
const EXTENDED: u8 = 6;

/// Bits of the first leaf: FMA, SSE4.1, OSXSAVE (the system says which registers it saves), AVX.
const SSE: u32 = 1 << 12 | 1 << 19 | 1 << 27 | 1 << 28;
/// More bits of the first leaf: POPCNT and F16C.
const AVX2: u32 = 1 << 23 | 1 << 29;
/// Bits of the seventh leaf: BMI1, AVX2, BMI2.
const AVX2_SEVENTH: u32 = 1 << 3 | 1 << 5 | 1 << 8;
/// More bits of the seventh leaf: AVX-512 F, DQ, BW, VL.
const AVX512: u32 = 1 << 16 | 1 << 17 | 1 << 30 | 1 << 31;
/// A bit of the leaf 2^31 + 1: LZCNT.
const LZCNT: u32 = 1 << 5;
/// Bits of the state that the system saves: vectors of 256 bits; masks and vectors of 512 bits.
const YMM: u32 = 0x6;
const ZMM: u32 = 0xe6;

impl Bytes {
    fn set(&mut self, register: u8, value: u32) {
        self.code.push(0xb8 | register);
        self.code.extend(value.to_le_bytes());
    }

    /// Puts the inverse of the bits in the register `from` into the register `to`.
    fn inverse(&mut self, to: u8, from: u8) {
        self.code.extend([0x40 | (from >> 3) << 2 | to >> 3, 0x89, 0xc0 | (from & 7) << 3 | to & 7]);
        self.code.extend([0x40 | to >> 3, 0xf7, 0xd0 | to & 7]);
    }

    fn clear(&mut self, register: u8) {
        self.code.extend([0x31, 0xc0 | register << 3 | register]);
    }

    fn cpuid(&mut self, leaf: u32) {
        self.set(EAX, leaf);
        self.clear(ECX);
        self.code.extend([0x0f, 0xa2]);
    }

    /// Jumps unless all of `bits` are there. The register `inverse` has the inverse of the bits that are there.
    fn unless_all(&mut self, inverse: u8, bits: u32) -> Jump {
        self.test(inverse, bits);
        self.jump(0x85)
    }

    /// Jumps like [`Bytes::unless_all`], by a shorter instruction that reaches near places alone.
    fn unless_all_near(&mut self, inverse: u8, bits: u32) -> Jump {
        self.test(inverse, bits);
        self.code.extend([0x75, 0]);
        Jump(self.code.len() - 1, 1)
    }

    fn test(&mut self, register: u8, bits: u32) {
        self.code.extend([0x40 | register >> 3, 0xf7, 0xc0 | register & 7]);
        self.code.extend(bits.to_le_bytes());
    }

    /// A conditional jump.
    fn jump(&mut self, condition: u8) -> Jump {
        self.code.extend([0x0f, condition, 0, 0, 0, 0]);
        Jump(self.code.len() - 4, 4)
    }

    fn land(&mut self, jumps: Vec<Jump>) {
        for Jump(at, bytes) in jumps {
            let distance = self.code.len() - at - bytes;
            assert!(bytes == 4 || distance < 128, "a near jump leads {distance} bytes on");
            self.code[at..at + bytes].copy_from_slice(&(distance as u32).to_le_bytes()[..bytes]);
        }
    }

    /// Puts the address of a function in `R10`.
    fn answer(&mut self, function: usize) {
        self.code.extend([0x4c, 0x8d, 0x15]);
        self.links.push((self.code.len(), function));
        self.code.extend([0; 4]);
    }
}

/// The code that returns the address of function 1, 2 or 3, for sse, avx2 and avx512, or of function 0 if none of them
/// can run. And the places where four bytes wait for the distance to a function, each with the number of the function.
pub(super) fn resolver() -> (Vec<u8>, Vec<(usize, usize)>) {
    let mut b = Bytes::default();
    b.code.push(0x53); // push rbx
    b.answer(0);
    b.cpuid(0);
    b.code.extend([0x83, 0xf8, 7]); // cmp eax, 7
    let mut none = vec![b.jump(0x82)];
    b.cpuid(1);
    b.inverse(FIRST, ECX);
    none.push(b.unless_all(FIRST, SSE));
    b.clear(ECX);
    b.code.extend([0x0f, 0x01, 0xd0]); // xgetbv
    b.inverse(STATE, EAX);
    none.push(b.unless_all(STATE, YMM));
    b.answer(1);
    none.push(b.unless_all(FIRST, AVX2));
    b.cpuid(7);
    b.inverse(SEVENTH, EBX);
    none.push(b.unless_all(SEVENTH, AVX2_SEVENTH));
    b.cpuid(0x8000_0001);
    b.inverse(EXTENDED, ECX);
    none.push(b.unless_all_near(EXTENDED, LZCNT));
    b.answer(2);
    none.push(b.unless_all_near(STATE, ZMM));
    none.push(b.unless_all_near(SEVENTH, AVX512));
    b.answer(3);
    b.land(none);
    b.code.extend([0x4c, 0x89, 0xd0, 0x5b, 0xc3]); // mov rax, r10; pop rbx; ret
    (b.code, b.links)
}

/// Four bytes of code that wait for the distance to a function.
pub(super) struct OpenDistance {
    /// Where they are.
    pub(super) at: usize,
    /// The number of the function.
    pub(super) function: usize,
    /// What is added to the distance.
    pub(super) addend: i64,
}

/// The code that goes on in function 0 with one more argument behind its own: the address of a table with the distances
/// from the table to functions 1 and up. With it come the distances that it waits for.
pub(super) fn leading(params: usize, functions: usize) -> (Vec<u8>, Vec<OpenDistance>) {
    /// For each register of an argument, the bytes of `lea REGISTER, [rip + ...]`.
    const ARGUMENTS: [[u8; 3]; 6] = [
        [0x48, 0x8d, 0x3d],
        [0x48, 0x8d, 0x35],
        [0x48, 0x8d, 0x15],
        [0x48, 0x8d, 0x0d],
        [0x4c, 0x8d, 0x05],
        [0x4c, 0x8d, 0x0d],
    ];
    let (mut code, mut links) = (Vec::new(), Vec::new());
    let begin;
    match ARGUMENTS.get(params) {
        Some(bytes) => {
            code.extend(bytes);
            begin = code.len();
            code.extend([0; 4]);
            code.push(0xe9); // jmp
            links.push(OpenDistance { at: code.len(), function: 0, addend: -4 });
            code.extend([0; 4]);
        }
        None => {
            code.extend([0x48, 0x8d, 0x05]); // lea rax, [rip + ...]
            begin = code.len();
            code.extend([0; 4]);
            let more = params - ARGUMENTS.len();
            // A called function finds a multiple of 16 above its return address.
            let odd = more % 2 == 1;
            if odd {
                code.push(0x51); // push rcx
            }
            code.push(0x50); // push rax
            // Each is as far away as the first, for the stack grows.
            let distance = 8 * (more + usize::from(odd) + 1) as u32;
            for _ in 0..more {
                code.extend([0xff, 0xb4, 0x24]); // push [rsp + ...]
                code.extend(distance.to_le_bytes());
            }
            code.push(0xe8); // call
            links.push(OpenDistance { at: code.len(), function: 0, addend: -4 });
            code.extend([0; 4]);
            code.extend([0x48, 0x81, 0xc4]); // add rsp, ...
            code.extend((8 * (more + usize::from(odd) + 1) as u32).to_le_bytes());
            code.push(0xc3);
        }
    }
    code.resize(code.len().next_multiple_of(4), 0xcc);
    let table = code.len();
    code[begin..begin + 4].copy_from_slice(&((table - begin - 4) as u32).to_le_bytes());
    for number in 0..functions {
        links.push(OpenDistance { at: code.len(), function: number + 1, addend: 4 * number as i64 });
        code.extend([0; 4]);
    }
    (code, links)
}

/// The code that puts a number of quarter turns into the third argument.
pub(super) fn set_quarter_turns(number: u8) -> Vec<u8> {
    match number {
        0 => vec![0x31, 0xd2],            // xor edx, edx
        _ => vec![0xba, number, 0, 0, 0], // mov edx, ...
    }
}

/// Code with a jump behind it, whose distance is in the last four bytes.
pub(super) fn then_jump(code: Vec<u8>) -> Vec<u8> {
    [code, vec![0xe9, 0, 0, 0, 0]].concat()
}

/// A function that returns a code.
pub(super) fn returns(code: i64) -> Vec<u8> {
    let mut b = Bytes::default();
    b.set(EAX, code as u32);
    b.code.push(0xc3);
    b.code
}
