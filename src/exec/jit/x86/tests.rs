//! Tests of the code as a decoder of its own reads it.

mod choices;
mod divide;
mod inputs;
mod invariants;
mod pipelining;
mod refusals;
mod spills;
mod widening;

use super::assembler::{Assembler, Memory, Rm, VectorBits, Writes};
use super::target::InstructionSet;
use super::{assemble, interleaving, rows, text};
use crate::exec::jit::tests::single;
use crate::exec::machine::Level;
use crate::exec::stepping::Step;
use crate::exec::tests::edges::signatures;
use crate::scalar::prim::Prim;
use iced_x86::{Decoder, DecoderOptions, Formatter, IntelFormatter, Mnemonic};

/// The instructions as another decoder names them, with the first byte of each.
fn decoded(bytes: &[u8], count: usize) -> Vec<(u8, String)> {
    let mut decoder = Decoder::with_ip(64, bytes, 0, DecoderOptions::NONE);
    let mut formatter = IntelFormatter::new();
    formatter.options_mut().set_use_pseudo_ops(false);
    let mut lines = Vec::new();
    while lines.len() < count && decoder.can_decode() {
        let instruction = decoder.decode();
        let mut line = String::new();
        formatter.format(&instruction, &mut line);
        if instruction.mnemonic() != Mnemonic::Nop {
            lines.push((bytes[instruction.ip() as usize], line));
        }
    }
    lines
}

/// Every line as it is shown, without labels.
fn shown(text: &str) -> Vec<&str> {
    text.lines().filter(|line| !line.ends_with(':')).map(str::trim).collect()
}

#[test]
fn the_code_is_what_its_text_says() {
    let mut seen = [0; 2];
    for prim in Prim::ALL {
        for (args, result) in signatures(prim) {
            let alternate = [Step::Alternate, Step::Dense, Step::Alternate];
            for steps in [[Step::Dense; 3], [Step::Repeat, Step::Dense, Step::Repeat], alternate] {
                let code =
                    single(prim, &args, result, &steps, if seen[1] % 2 == 0 { Step::Dense } else { Step::Stream });
                for level in [Level::Avx2, Level::Avx512] {
                    let Some(text) = text(&code, level) else { continue };
                    let target = InstructionSet::of(level).unwrap();
                    let (assembler, _) = assemble(&code, target, interleaving(), Assembler::default()).unwrap();
                    let lines = shown(&text);
                    let decoded = decoded(&assembler.finish(), lines.len());
                    assert_eq!(decoded.len(), lines.len());
                    for (ours, (first, theirs)) in lines.iter().zip(&decoded) {
                        let operands = |line: &str| {
                            let mask = line.matches("{k").count();
                            (
                                line.split_whitespace().next().unwrap_or_default().to_owned(),
                                mask,
                                line.matches(',').count(),
                            )
                        };
                        let ((name, masks, commas), (other, other_masks, other_commas)) =
                            (operands(ours), operands(theirs));
                        // Signs are in the name for one of us only.
                        let same =
                            name == other || other.replace("vpmovzx", "vpmov").replace("vpmovsx", "vpmov") == name;
                        assert!(same && masks == other_masks && commas == other_commas, "{ours}\n{theirs}\n\n{text}");
                        // Neither the prefix of AVX-512 nor its registers.
                        let beyond = *first == 0x62 || [" k", ",k", "zmm"].iter().any(|name| theirs.contains(name));
                        assert!(level == Level::Avx512 || !beyond, "{theirs}\n\n{text}");
                    }
                    seen[usize::from(level == Level::Avx512)] += 1;
                }
            }
        }
    }
    assert!(seen[0] > 300 && seen[1] > 300, "{seen:?}");
}

#[test]
fn rows_that_take_one_lane_for_all_are_decoded_so() {
    let floats = [
        rows::FADD,
        rows::FSUB,
        rows::FMUL,
        rows::FDIV,
        rows::FMIN,
        rows::FMAX,
        rows::FSQRT,
        rows::FCMP,
        rows::FMA132,
        rows::FMA213,
        rows::FMA231,
        rows::FNMA132,
        rows::FNMA213,
        rows::SCALE,
        rows::EXPONENT,
        rows::MANTISSA,
        rows::FIXUP,
        rows::ROUND,
        rows::RANGE,
        rows::PICK,
        rows::PERMUTE,
    ];
    let widths = [
        rows::ADD,
        rows::SUB,
        rows::MUL,
        rows::MIN_SIGNED,
        rows::MIN_UNSIGNED,
        rows::MAX_SIGNED,
        rows::MAX_UNSIGNED,
        rows::ABS,
        rows::POPCOUNT,
        rows::SHIFTS_LEFT,
        rows::SHIFTS_RIGHT,
        rows::SHIFTS_SIGNED,
        rows::CMP_SIGNED,
        rows::CMP_UNSIGNED,
        rows::TEST,
        rows::BLEND,
        rows::MOVE,
        rows::STORE,
        rows::BROADCAST,
    ];
    let others = [rows::AND, rows::OR, rows::XOR, rows::TERNARY];
    let all = floats.into_iter().flatten().chain(widths.into_iter().flatten()).chain(others);
    let mut seen = 0;
    for row in all {
        let Some(bytes) = row.lane else { continue };
        let mut assembler = Assembler::default();
        let vector = assembler.add_to_pool([1; 64]);
        let alone = ["vsqrt", "vgetexp", "vgetmant", "vrndscale", "vpabs", "vpopcnt"]
            .iter()
            .any(|name| row.name.starts_with(name));
        let operands = (Writes::Register, 1, (!alone).then_some(2), Rm::Memory(Memory::Lane(vector)));
        // The immediate of those that have none is an instruction of its own.
        assembler.evex(row, VectorBits::Zmm, operands, None, Some(0));
        let code = assembler.finish();
        let instruction = Decoder::with_ip(64, &code, 0, DecoderOptions::NONE).decode();
        assert!(instruction.is_broadcast(), "{}: {instruction}", row.name);
        // `Broadcast512_Float32`, say.
        let element = format!("{:?}", instruction.memory_size());
        assert!(element.ends_with(&(8 * bytes).to_string()), "{}: {element}", row.name);
        seen += 1;
    }
    assert_eq!(seen, 2 * 21 + 2 * 16 + 4);
}
