//! Of the code as a decoder of its own reads it.

mod halves;

use super::assembler::Assembler;
use super::{assemble, interleaving, text};
use crate::exec::jit::tests::single;
use crate::exec::stepping::Step;
use crate::exec::tests::edges::signatures;
use crate::scalar::prim::Prim;
use iced_x86::{Decoder, DecoderOptions, Formatter, IntelFormatter, Mnemonic};

/// The instructions as another decoder names them.
fn decoded(bytes: &[u8], count: usize) -> Vec<(Mnemonic, String)> {
    let mut decoder = Decoder::with_ip(64, bytes, 0, DecoderOptions::NONE);
    let mut formatter = IntelFormatter::new();
    formatter.options_mut().set_use_pseudo_ops(false);
    let mut lines = Vec::new();
    while lines.len() < count && decoder.can_decode() {
        let instruction = decoder.decode();
        let mut line = String::new();
        formatter.format(&instruction, &mut line);
        if instruction.mnemonic() != Mnemonic::Nop {
            lines.push((instruction.mnemonic(), line));
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
    let mut seen = 0;
    for prim in Prim::ALL {
        for (args, result) in signatures(prim) {
            let alternate = [Step::Alternate, Step::Dense, Step::Alternate];
            for steps in [[Step::Dense; 3], [Step::Repeat, Step::Dense, Step::Repeat], alternate] {
                let code = single(prim, &args, result, &steps, if seen % 2 == 0 { Step::Dense } else { Step::Stream });
                let Some(text) = text(&code) else { continue };
                let (assembler, _) = assemble(&code, interleaving(), Assembler::default()).unwrap();
                let lines = shown(&text);
                let decoded = decoded(&assembler.finish(), lines.len());
                assert_eq!(decoded.len(), lines.len());
                for (ours, (_, theirs)) in lines.iter().zip(&decoded) {
                    let operands = |line: &str| {
                        let mask = line.matches("{k").count();
                        (line.split_whitespace().next().unwrap_or_default().to_owned(), mask, line.matches(',').count())
                    };
                    let ((name, masks, commas), (other, other_masks, other_commas)) =
                        (operands(ours), operands(theirs));
                    // Signs are in the name for one of us only.
                    let same = name == other || other.replace("vpmovzx", "vpmov").replace("vpmovsx", "vpmov") == name;
                    assert!(same && masks == other_masks && commas == other_commas, "{ours}\n{theirs}\n\n{text}");
                }
                seen += 1;
            }
        }
    }
    assert!(seen > 300, "{seen}");
}
