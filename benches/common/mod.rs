//! The kernels as checked programs over random data.

use arrlang::io::argument::Argument;
use arrlang::ir::Program;
use arrlang::session::{Input, Session};
use std::fmt;

/// A kernel with the dtypes of its inputs.
pub(crate) struct Bench {
    name: &'static str,
    text: &'static str,
    /// `a:f32[n]`, where `n` stands for the number of elements, `2n`, `r` and `c` for what follows from it.
    inputs: &'static [&'static str],
}

impl fmt::Display for Bench {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.name)
    }
}

macro_rules! kernels {
    ($($name:literal: $file:literal, $inputs:expr;)*) => {
        &[$(Bench { name: $name, text: include_str!(concat!("../kernels/", $file, ".arr")), inputs: &$inputs }),*]
    };
}

/// Every kernel.
pub(crate) static KERNELS: &[Bench] = kernels! {
    "k1 f32": "k1", ["a:f32[n]", "b:f32[n]"];
    "k1 f64": "k1", ["a:f64[n]", "b:f64[n]"];
    "k2 f32": "k2", ["a:f32[n]", "b:f32[n]", "c:f32[n]"];
    "k3 f32": "k3", ["a:f32[n]", "b:f32[n]", "c:f32[n]"];
    "k3 f64": "k3", ["a:f64[n]", "b:f64[n]", "c:f64[n]"];
    "k4 f32": "k4", ["x:f32[n]"];
    "k4 f64": "k4", ["x:f64[n]"];
    "k5 f32": "k5", ["a:f32[n]", "b:f32[n]"];
    "k5 f64": "k5", ["a:f64[n]", "b:f64[n]"];
    "k6 softplus f32": "k6_softplus", ["x:f32[n]"];
    "k6 gelu f32": "k6_gelu", ["x:f32[n]"];
    "k7 f32": "k7", ["s:f32[n]", "k:f32[n]", "t:f32[n]"];
    "k7 f64": "k7", ["s:f64[n]", "k:f64[n]", "t:f64[n]"];
    "k8 f32": "k8", ["a:f32[n]", "b:f32[n]"];
    "k9 u8": "k9", ["a:u8[n]", "b:u8[n]"];
    "k10 i16, f32": "k10_mixed", ["i:i16[n]", "x:f32[n]"];
    "k10 f16": "k2", ["a:f16[n]", "b:f16[n]", "c:f16[n]"];
    "k10 bf16": "k2", ["a:bf16[n]", "b:bf16[n]", "c:bf16[n]"];
    "k11 centre f32": "k11_centre", ["x:f32[r, c]", "m:f32[c]"];
    "k11 outer f32": "k11_outer", ["a:f32[r]", "b:f32[c]"];
    "k12 f32": "k12", ["a:f32[2n]", "b:f32[n]"];
    "k13 dot f32": "k13_dot", ["a:f32[n]", "b:f32[n]"];
    "k13 mse f32": "k13_mse", ["a:f32[n]", "b:f32[n]"];
    "k13 axis 0 f32": "k13_axis0", ["x:f32[r, c]"];
    "k13 axis 1 f32": "k13_axis1", ["x:f32[r, c]"];
    "k14 c64": "k14", ["z:c64[n]", "c:c64[n]"];
    "k15 lcg u32": "k15_lcg", ["a:u32[n]"];
    "k15 // i32": "k15_div", ["a:i32[n]", "b:i32[n]"];
    "k15 % i32": "k15_mod", ["a:i32[n]", "b:i32[n]"];
    "exp f32": "exp", ["x:f32[n]"];
    "log f32": "log", ["x:f32[n]"];
    "sin f32": "sin", ["x:f32[n]"];
    "tanh f32": "tanh", ["x:f32[n]"];
};

impl Bench {
    /// The kernel over random numbers.
    pub(crate) fn program(&self, n: usize) -> Program {
        let rows = 25 * ((n / 1000) as f64).sqrt() as usize;
        let size = |letters: &str| match letters {
            "2n" => 2 * n,
            "r" => rows,
            "c" => n / rows,
            _ => n,
        };
        let sized = self.inputs.iter().map(|text| {
            let (head, dims) = text.trim_end_matches(']').split_once('[').expect("a shape");
            let sizes: Vec<String> = dims.split(", ").map(|letters| size(letters).to_string()).collect();
            Argument::parse(format!("{head}[{}]", sizes.join(", ")).as_ref()).expect("an argument")
        });
        let arguments: Vec<Argument> = sized.collect();
        let mut session = Session::default();
        let input = Input { arguments: &arguments, ..Input::new(self.name, self.text) };
        let filled = session.fill(&input, 1).expect("sizes are stated");
        let arrays: Vec<_> = filled.into_iter().map(|one| (one.name, one.array)).collect();
        let prepared = session.prepare(&Input { arrays: &arrays, ..input });
        prepared.checked.program.expect("the kernel is correct")
    }

    /// The kernel for all lengths.
    #[allow(dead_code, reason = "one benchmark alone builds objects")]
    pub(crate) fn open(&self) -> Program {
        let typed = |text: &&str| Argument::parse(text.replace("2n", "2*n").as_ref()).expect("an argument");
        let arguments: Vec<Argument> = self.inputs.iter().map(typed).collect();
        let input = Input { arguments: &arguments, ..Input::new(self.name, self.text) };
        let prepared = Session::default().check(&input);
        prepared.checked.program.expect("the kernel is correct")
    }
}
