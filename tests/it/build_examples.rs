//! Every example as functions in C, at every level and on other processors: all of them are linked into one program,
//! whose outputs have the bits of a run, and the objects need nothing.

use crate::lab;
use crate::shell::{Folder, finish};
use arrlang::array::Array;
use arrlang::exec::{Options, run};
use arrlang::scalar::Scalar;
use arrlang::session::{Input, Session};
use std::fmt::Write;
use std::process::{Command, Stdio};

/// Examples that cannot be built, each with what `arr build` says. One that can is stale here.
const NOT_BUILT: [(&str, &str); 2] = [("distribution", "data decides a length"), ("prices", "data decides a length")];

/// What an example reads and gives.
struct Example {
    name: String,
    inputs: Vec<Array>,
    outputs: Vec<Array>,
}

fn examples() -> Vec<(String, String)> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(lab::root("examples")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|it| it == "arr") {
            let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
            found.push((name, std::fs::read_to_string(&path).unwrap()));
        }
    }
    found.sort();
    found
}

/// The inputs that a header lists.
fn declared(header: &str) -> Vec<String> {
    let lines = header.lines().skip_while(|line| line.trim() != "Inputs:").skip(1);
    let lines = lines.take_while(|line| line.trim() != "Outputs:");
    // What the script says about an input stands below it, further in.
    let lines = lines.filter(|line| !line.starts_with("      "));
    lines.map(|line| line.trim().rsplit_once(": ").unwrap().0.to_owned()).collect()
}

/// Runs an example here: the inputs that its header lists, and what it gives.
fn ran(name: String, text: &str, header: &str) -> Example {
    let (mut session, names) = (Session::default(), declared(header));
    let is_name = |name: &&String| name.chars().all(|c| c.is_alphanumeric() || c == '_');
    // The values of inputs are given behind the others.
    let text: String =
        [text.to_owned()].into_iter().chain(names.iter().filter(is_name).cloned()).collect::<Vec<_>>().join("\n");
    let folder = lab::root("examples");
    let prepared = session.prepare(&Input { folder: Some(folder.as_ref()), ..Input::new(&name, &text) });
    let program = prepared.checked.program.unwrap_or_else(|| panic!("{name} is right"));
    let mut outputs = run(&program, &Options::default()).unwrap_or_else(|error| panic!("{name}: {error}"));
    let mut values = outputs.split_off(outputs.len() - names.iter().filter(is_name).count()).into_iter();
    let file = |name: &str| program.inputs.iter().find(|input| input.name == name)?.value.clone();
    let value = |name: &String| if is_name(&name) { values.next() } else { file(name) };
    let inputs = names.iter().map(value).map(|array| array.expect("examples have their data")).collect();
    Example { name, inputs, outputs }
}

/// The elements in C order.
fn bytes(array: &Array) -> Vec<u8> {
    let size = array.dtype().size();
    (0..array.len()).flat_map(|at| array.get(at).bits.to_le_bytes()[..size].to_vec()).collect()
}

fn lengths(array: &Array) -> String {
    array.shape().iter().map(|size| format!("{size}, ")).collect::<String>() + "0"
}

/// A function in C that calls that of an example over files.
fn caller(example: &Example) -> String {
    let Example { name, inputs, outputs } = example;
    let mut c = format!("static void call_{name}(void) {{\n");
    for (at, input) in inputs.iter().enumerate() {
        let (dtype, sizes) = (input.dtype(), lengths(input));
        let _ = writeln!(c, "    const int64_t s{at}[] = {{{sizes}}};");
        let _ = writeln!(c, "    const arr_in_{dtype} i{at} = {{slurp(\"{name}.in{at}\"), s{at}, NULL}};");
    }
    for at in 0..outputs.len() {
        let _ = writeln!(c, "    int64_t t{at}[8];");
    }
    let list = |letter: &str, count: usize| (0..count).map(|at| format!("{letter}{at}")).collect::<Vec<_>>();
    let all = [list("&i", inputs.len()), list("t", outputs.len())].concat().join(", ");
    let _ = writeln!(c, "    must(\"{name}_shape\", {name}_shape({all}));");
    for (at, output) in outputs.iter().enumerate() {
        let (dtype, rank) = (output.dtype(), output.shape().len());
        let _ = writeln!(c, "    const size_t n{at} = elements(t{at}, {rank}) * sizeof *((arr_out_{dtype} *)0)->data;");
        let _ = writeln!(c, "    const arr_out_{dtype} o{at} = {{malloc(n{at} + 1), t{at}}};");
    }
    let ins = list("&i", inputs.len()).join(", ");
    let _ = writeln!(c, "    const int64_t bytes = {name}_scratch({ins});");
    let _ = writeln!(c, "    must(\"{name}_scratch\", bytes < 0 ? (int)-bytes : 0);");
    let all = [list("&i", inputs.len()), list("&o", outputs.len())].concat().join(", ");

    let _ = writeln!(c, "    must(\"{name}\", {name}({all}, malloc((size_t)bytes), NULL));");
    for at in 0..outputs.len() {
        let _ = writeln!(c, "    dump(\"{name}.out{at}\", o{at}.data, n{at});");
    }
    c + "}\n"
}

const HELP: &str = r#"
static void must(const char *what, int code) {
    if (code != 0) { fprintf(stderr, "%s: %d\n", what, code); exit(1); }
}
static void *slurp(const char *name) {
    FILE *file = fopen(name, "rb");
    if (!file) { perror(name); exit(1); }
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    rewind(file);
    char *all = malloc((size_t)size + 1);
    if (fread(all, 1, (size_t)size, file) != (size_t)size) { perror(name); exit(1); }
    fclose(file);
    return all;
}
static void dump(const char *name, const void *from, size_t size) {
    FILE *file = fopen(name, "wb");
    if (!file || fwrite(from, 1, size, file) != size || fclose(file) != 0) { perror(name); exit(1); }
}
static size_t elements(const int64_t *shape, int rank) {
    size_t all = 1;
    for (int axis = 0; axis < rank; axis++) { all *= (size_t)shape[axis]; }
    return all;
}
"#;

/// Runs a tool in a folder; it must succeed. What it prints.
fn tool(folder: &Folder, name: &str, args: &[String]) -> String {
    let mut command = Command::new(name);
    command.args(args).current_dir(folder.path()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let ran = finish(command, b"");
    assert_eq!(ran.code, 0, "{name}: {}{}", ran.stdout, ran.stderr);
    ran.stdout
}

/// What code is for, what links it, and what runs it if that is not this machine.
struct Machine {
    /// Options of `arr build`.
    options: &'static [&'static str],
    /// Begins the names of the tools of C: nothing on this machine.
    tools: &'static str,
    emulator: &'static [&'static str],
}

/// This machine, at a level or at the one that the loader chooses.
const fn here(options: &'static [&'static str]) -> Machine {
    Machine { options, tools: "", emulator: &[] }
}

#[cfg(feature = "aarch64")]
const AARCH64: Machine = Machine {
    options: &["--target", "aarch64-unknown-linux-gnu"],
    tools: "aarch64-linux-gnu-",
    emulator: &["qemu-aarch64"],
};

#[cfg(feature = "riscv64")]
const RISCV64: Machine = Machine {
    options: &["--target", "riscv64gc-unknown-linux-gnu"],
    tools: "riscv64-linux-gnu-",
    emulator: &["qemu-riscv64", "-cpu", "rv64,v=true,vext_spec=v1.0,vlen=128"],
};

impl Machine {
    fn tool(&self, name: &str) -> String {
        if self.tools.is_empty() && name == "gcc" { "cc".to_owned() } else { format!("{}{name}", self.tools) }
    }

    /// Builds every example, links them into one program and compares what that writes with what a run gives.
    fn agrees(&self) {
        let (folder, built) = self.built();
        let mut c = "#include <stdio.h>\n#include <stdlib.h>\n".to_owned();
        built.iter().for_each(|example| {
            let _ = writeln!(c, "#include \"{}.h\"", example.name);
        });
        c += HELP;
        built.iter().for_each(|example| c += &caller(example));
        let calls: String = built.iter().map(|example| format!("    call_{}();\n", example.name)).collect();
        let _ = writeln!(c, "int main(void) {{\n{calls}    return 0;\n}}");
        folder.write("main.c", c.as_bytes());
        for example in &built {
            for (at, input) in example.inputs.iter().enumerate() {
                folder.write(&format!("{}.in{at}", example.name), &bytes(input));
            }
        }
        let objects: Vec<String> = built.iter().map(|example| format!("{}.o", example.name)).collect();
        let plain = ["-std=c99", "-Wall", "-Wextra", "-Werror", "main.c", "-o", "all"].map(str::to_owned);
        // An emulator needs no libraries of the other machine then.
        let fixed = self.emulator.first().map(|_| "-static".to_owned());
        tool(&folder, &self.tool("gcc"), &plain.into_iter().chain(fixed).chain(objects.clone()).collect::<Vec<_>>());
        let all: Vec<String> = self.emulator.iter().copied().chain(["./all"]).map(str::to_owned).collect();
        tool(&folder, &all[0], &all[1..]);
        built.iter().for_each(|example| self.compare(&folder, example));
        self.needs_nothing(&folder, &objects);
    }

    /// The objects and headers in a folder, and what the examples are.
    fn built(&self) -> (Folder, Vec<Example>) {
        let (folder, mut built) = (Folder::new(), Vec::new());
        for (name, text) in examples() {
            let script = lab::root(&format!("examples/{name}.arr"));
            let (object, header) = (format!("{name}.o"), format!("{name}.h"));
            let files = ["build", script.to_str().unwrap(), "-o", &object, "--header", &header];
            let made = folder.arr(&[&files, self.options].concat());
            match NOT_BUILT.iter().find(|(known, _)| *known == name) {
                Some((_, why)) => assert!(made.code == 1 && made.stderr.contains(why), "{name}: {}", made.stderr),
                None => {
                    assert_eq!(made.code, 0, "{name}: {}", made.stderr);
                    let header = std::fs::read_to_string(folder.path().join(&header)).unwrap();
                    built.push(ran(name, &text, &header));
                }
            }
        }
        (folder, built)
    }

    /// The outputs of an example in C, beside those of a run. A nan is a nan on another processor, which has its own
    /// bits for it; here all bits are compared.
    fn compare(&self, folder: &Folder, Example { name, outputs, .. }: &Example) {
        for (at, wanted) in outputs.iter().enumerate() {
            let made = std::fs::read(folder.path().join(format!("{name}.out{at}"))).unwrap();
            let (dtype, size) = (wanted.dtype(), wanted.dtype().size());
            assert_eq!(made.len(), wanted.len() * size, "{name} output {at}");
            for (index, made) in made.chunks(size).enumerate() {
                let mut bits = [0; 16];
                bits[..size].copy_from_slice(made);
                let (made, wanted) = (Scalar { dtype, bits: u128::from_le_bytes(bits) }, wanted.get(index));
                let same = if self.emulator.is_empty() { made.bits == wanted.bits } else { made.same(wanted) };
                assert!(same, "{name} output {at} element {index}: {made:x?} is not {wanted:x?}");
            }
        }
    }

    /// No object needs a symbol but two, has a section that is written or a stack that is executed, or code that has to
    /// lie at some place.
    fn needs_nothing(&self, folder: &Folder, objects: &[String]) {
        for line in tool(folder, &self.tool("nm"), &[&["-u".to_owned()], objects].concat()).lines() {
            let needed = line.trim().strip_prefix("U ");
            assert!(needed.is_none_or(|name| ["memcpy", "memset"].contains(&name)), "{line}");
        }
        let sections = tool(folder, &self.tool("readelf"), &[&["-SW".to_owned()], objects].concat());
        for line in sections.lines().filter_map(|line| line.trim_start().strip_prefix('[')) {
            // Name, type, address, offset, size, entry size, flags.
            let words: Vec<&str> = line.split_once(']').unwrap().1.split_whitespace().collect();
            let written = words.get(6).is_some_and(|flags| flags.contains('W'));
            assert!(!written || words[4] == "000000", "{line}");
            assert!(words[0] != ".note.GNU-stack" || !words.get(6).is_some_and(|flags| flags.contains('X')), "{line}");
        }
        assert_eq!(sections.matches(".note.GNU-stack").count(), objects.len());
        // The linker refuses code that it would have to change when it is loaded.
        let shared = ["-shared", "-nostdlib", "-Wl,-z,text", "-o", "all.so"].map(str::to_owned);
        tool(folder, &self.tool("gcc"), &[&shared[..], objects].concat());
        let segments = tool(folder, &self.tool("readelf"), &["-lW", "all.so"].map(str::to_owned));
        let stack = segments.lines().find(|line| line.contains("GNU_STACK")).unwrap_or_default();
        assert!(stack.contains("RW ") && !stack.contains("RWE"), "{stack}");
    }
}

#[test]
fn examples_have_the_bits_of_a_run_in_c() {
    here(&[]).agrees();
}

#[test]
#[cfg(target_arch = "x86_64")]
fn examples_have_the_bits_of_a_run_at_every_level() {
    let has_sse = is_x86_feature_detected!("sse4.1") && is_x86_feature_detected!("fma");
    let has_avx2 = has_sse && is_x86_feature_detected!("avx2");
    let has_avx512 = has_avx2
        && is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512dq")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512vl");
    for (options, is_here) in
        [(&["--cpu", "sse"], has_sse), (&["--cpu", "avx2"], has_avx2), (&["--cpu", "avx512"], has_avx512)]
    {
        match is_here {
            true => here(options).agrees(),
            false => println!("THIS PROCESSOR HAS NO {}: examples were not run at that level", options[1]),
        }
    }
}

#[cfg(any(feature = "aarch64", feature = "riscv64"))]
fn agrees_elsewhere(machine: &Machine) {
    let tools = [machine.tool("gcc"), machine.emulator[0].to_owned()];
    let runs = |tool: &&String| Command::new(tool).arg("--version").output().is_ok_and(|ran| ran.status.success());
    match tools.iter().find(|tool| !runs(tool)) {
        Some(missing) => println!("THERE IS NO `{missing}`: examples were not run by {}", machine.emulator[0]),
        None => machine.agrees(),
    }
}

#[test]
#[cfg(feature = "aarch64")]
fn examples_on_aarch64_have_the_bits_of_a_run() {
    agrees_elsewhere(&AARCH64);
}

#[test]
#[cfg(feature = "riscv64")]
fn examples_on_riscv64_have_the_bits_of_a_run() {
    agrees_elsewhere(&RISCV64);
}
