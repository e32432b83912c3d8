//! `arr fmt`: one way to write a script, which means the same.

use crate::lab;
use crate::shell::Folder;
use arrlang::diagnostic::Diagnostics;
use arrlang::ops::{self, elsewhere};
use arrlang::source::Sources;
use arrlang::syntax::format::{Spellings, format};
use arrlang::syntax::{parse, print};
use arrlang::types::DType;
use std::path::Path;

/// The formatter of the command.
pub(crate) fn formatted(text: &str) -> Option<String> {
    let short = |name: &str| DType::ALL.into_iter().map(DType::row).find(|row| row.long == name).map(|row| row.name);
    let words = Spellings {
        short: &short,
        function: &|name| ops::find(name).map(|op| op.name),
        qualified: &elsewhere::modules::ours,
        keyword: &elsewhere::keyword_of,
        spoken: &|name, keyword| elsewhere::spoken(name, keyword).is_some(),
        ordered: &|path, name, given| {
            elsewhere::positional::order(path, name).is_some_and(|order| given > order.agreeing())
        },
    };
    format(text, &words)
}

/// The tree without places; `None` with errors of syntax.
fn tree(text: &str) -> Option<String> {
    let (mut sources, mut found) = (Sources::new(), Diagnostics::new());
    let id = sources.add("", text);
    let script = parse(&sources, id, &mut found);
    let tree = print::print(&sources, &script);
    let lines = tree.lines().map(|line| line.rsplit_once(" @").map_or(line, |(what, _)| what).to_owned() + "\n");
    (!found.has_errors()).then(|| lines.collect())
}

/// The tree with our names of builtins in the place of others.
fn ours(tree: &str) -> String {
    let word = |line: &str| match line.trim_start().strip_prefix("name ").and_then(ops::find) {
        Some(op) => format!("{}name {}\n", &line[..line.len() - line.trim_start().len()], op.name),
        None => match line.trim_start().strip_suffix('=') {
            Some(word) => format!("{}=\n", elsewhere::keyword(word)),
            None => format!("{line}\n"),
        },
    };
    tree.lines().map(word).collect()
}

fn formats_as(text: &str, expected: &str) {
    assert_eq!(formatted(text).as_deref(), Some(expected), "{text}");
    assert_eq!(formatted(expected).as_deref(), Some(expected), "once more");
}

#[test]
fn products_are_tight_beside_sums() {
    for (text, expected) in [
        ("2 * a+3*b", "2*a + 3*b"),
        ("(x-m)/s", "(x - m) / s"),
        ("a*b", "a * b"),
        ("a*(b+c)", "a * (b + c)"),
        ("a *b< c* d", "a*b < c*d"),
        ("x ** 2", "x**2"),
        ("-k*p+ - q", "-k*p + -q"),
        ("2 ** - x", "2**-x"),
        ("f( a+b , c *d )", "f(a + b, c * d)"),
        ("a&b|~ c", "a & b | ~c"),
        ("not a and(b)", "not a and (b)"),
        ("0<=x<1", "0 <= x < 1"),
        ("x[ i + 1 : n-1 , : : 2, ... ]", "x[i+1:n-1, ::2, ...]"),
        ("x[ 2 * i ]", "x[2*i]"),
        ("[ 1 , 2*a+b ][0]", "[1, 2*a + b][0]"),
        ("sum( x ,axis = 0 )", "sum(x, axis=0)"),
        ("(a , )", "(a,)"),
        ("1 . real", "1 .real"),
        ("a @ b", "a @ b"),
    ] {
        formats_as(text, &format!("{expected}\n"));
    }
}

#[test]
fn statements_have_one_form() {
    for (text, expected) in [
        ("promotion jax-strict  safe ,width = 32", "promotion jax-strict safe, width=32"),
        ("input c:u16[ c,t ]in[0,4095]=0", "input c: u16[c, t] in [0, 4095] = 0"),
        ("input x : f32[ .. ]", "input x: f32[..]"),
        ("input x:f32[2 * n - 1]", "input x: f32[2*n-1]"),
        ("let( a,b )=(1,2)", "let (a, b) = (1, 2)"),
        ("let x:f32=1", "let x: f32 = 1"),
        ("fn z( x,m,s = 1 )->f32[n]=(x-m)/s", "fn z(x, m, s=1) -> f32[n] = (x - m) / s"),
        ("fn f(x){let y=x;y}", "fn f(x) { let y = x; y }"),
        ("var a=1;a+=2 ;", "var a = 1; a += 2;"),
        ("output y", "output y"),
        ("assert( 1==1 )", "assert (1 == 1)"),
        ("assert   -x<3", "assert -x < 3"),
        ("assert [x]==[1]", "assert [x] == [1]"),
        ("assert -  x", "assert - x"),
        ("use  \"lib.arr\"", "use \"lib.arr\""),
    ] {
        formats_as(text, &format!("{expected}\n"));
    }
}

#[test]
fn lines_stay_and_stand_as_far_in_as_their_brackets() {
    formats_as(
        "\n\n# first\r\nfn f(x) {\n\n      let y = (x +\n1)\n   # inside\n let z = f(\n[1,\n2],\n  y\n)\n\n\n\n y+z\n\n}\nlet w =\n1 +\n 2\n\n",
        "# first\nfn f(x) {\n  let y = (x +\n    1)\n  # inside\n  let z = f(\n    [1,\n      2],\n    y\n  )\n\n  y + z\n}\nlet w =\n  1 +\n  2\n",
    );
    formats_as(
        "let a = 1 # one\nlet abc = 2    # two\n\nlet d = 3 # three  \n",
        "let a = 1    # one\nlet abc = 2  # two\n\nlet d = 3  # three\n",
    );
    formats_as("", "");
    formats_as("# only this", "# only this\n");
}

#[test]
fn words_have_one_spelling() {
    for (text, expected) in [
        ("np.sqrt( jnp.abs(x) )", "sqrt(abs(x))"),
        ("x.sum(axis=0).sqrt( )", "sqrt(sum(x, axis=0))"),
        ("(a+b).mean()*2", "mean(a + b) * 2"),
        ("np.exp(x).sum()", "sum(exp(x))"),
        ("zeros(3, dtype=np.float32)", "zeros(3, dtype=f32)"),
        ("np.linalg.norm(x, axis=1)", "linalg.norm(x, axis=1)"),
        ("jax.nn.relu(np.amax(x, dim=1))", "relu(max(x, axis=1))"),
        ("concatenate([absolute(x), arcsin(y)])", "concat([abs(x), asin(y)])"),
        ("x.absolute().sum(keepdim=True)", "sum(abs(x), keepdims=True)"),
        ("np.pi * np.inf", "pi * inf"),
        ("x[np.newaxis]", "x[None]"),
        ("torch.std(x)", "torch.std(x)"),
        ("let abs = 2\nabsolute(x)", "let abs = 2\nabsolute(x)"),
        // What the library of the keyword does is not ours.
        ("y.std(dim=1)", "y.std(dim=1)"),
        ("std(y, dim=1)", "std(y, dim=1)"),
        ("y.sum(dim=1)", "sum(y, axis=1)"),
        // What the program calls so is not what stands behind a module.
        ("fn sum(x) = 7\nnp.sum(y)", "fn sum(x) = 7\nnp.sum(y)"),
        ("let fft = 3\nnp.fft.fft(y)", "let fft = 3\nnp.fft.fft(y)"),
        ("fn f(x, dim) = x\nf(x, dim=1)", "fn f(x, dim) = x\nf(x, dim=1)"),
        ("input x: float64[n]", "input x: f64[n]"),
        ("uint8(x)+bfloat16(y)", "u8(x) + bf16(y)"),
        ("x.reshape(2,-1)", "reshape(x, 2, -1)"),
        ("fn half(x) = x/2\nx.half()", "fn half(x) = x / 2\nhalf(x)"),
        // Without the module the arguments would be others.
        ("np.mean(x, 0, None, None, True)", "np.mean(x, 0, None, None, True)"),
        ("np.nan_to_num(x, True, 5.0)+np.nan_to_num(x)", "np.nan_to_num(x, True, 5.0) + nan_to_num(x)"),
        ("np.mean(x, 0, keepdims=True)", "mean(x, 0, keepdims=True)"),
        // These would mean something else.
        ("x.max(1)", "x.max(1)"),
        ("x.astype(f32)", "astype(x, f32)"),
        ("f('a', 'it\\'s', 'say \"b\"')", "f(\"a\", \"it\\'s\", 'say \"b\"')"),
        ("let sum = 1\nx.sum()", "let sum = 1\nx.sum()"),
        ("let np = 1\nnp.real", "let np = 1\nnp.real"),
        ("x.T.real", "x.T.real"),
    ] {
        formats_as(text, &format!("{expected}\n"));
    }
}

/// Every script of the repository, and every block of the language's chapters and of the findings' corpus.
fn texts() -> Vec<(String, String)> {
    fn collect(folder: &Path, found: &mut Vec<(String, String)>) {
        for entry in std::fs::read_dir(folder).expect("a folder of the repository").flatten() {
            let path = entry.path();
            let name = path.display().to_string();
            match path.extension().and_then(|extension| extension.to_str()) {
                _ if path.is_dir() => collect(&path, found),
                Some("arr") => found.extend(std::fs::read_to_string(&path).map(|text| (name, text))),
                Some("md") => {
                    let page = std::fs::read_to_string(&path).expect("a page");
                    let blocks = page.split("\n```").skip(1).step_by(2);
                    found.extend(
                        blocks.map(|block| {
                            (name.clone(), block.split_once('\n').map_or("", |(_, text)| text).to_owned())
                        }),
                    );
                }
                _ => {}
            }
        }
    }
    let mut found = Vec::new();
    for folder in ["examples", "benches/kernels", "tests", "fuzz/corpus", "src"] {
        collect(&lab::root(folder), &mut found);
    }
    found
}

#[test]
fn what_is_formatted_means_the_same() {
    let mut count = 0;
    for (name, text) in texts() {
        // Of calls as methods and of long names the tree is another.
        let Some(before) = tree(&text) else {
            assert_eq!(formatted(&text), None, "{name}\n{text}");
            continue;
        };
        let after = formatted(&text).unwrap_or_else(|| panic!("{name}\n{text}"));
        assert_eq!(formatted(&after).as_ref(), Some(&after), "{name}\n{text}");
        let is_long = |dtype: DType| dtype.row().long != dtype.name() && text.contains(dtype.row().long);
        if !before.contains("attribute") && !DType::ALL.into_iter().any(is_long) {
            assert_eq!(tree(&after).map(|tree| ours(&tree)), Some(ours(&before)), "{name}\n{text}");
        }
        count += 1;
    }
    assert!(count > 300, "{count}");
}

#[test]
fn our_own_scripts_are_formatted() {
    let folder = Folder::new();
    let paths: Vec<String> =
        ["examples", "benches/kernels"].iter().map(|path| lab::root(path).display().to_string()).collect();
    let ran = folder.arr(&["fmt", "--check", &paths[0], &paths[1]]);
    assert_eq!((ran.code, ran.stdout.as_str()), (0, ""), "{}", ran.stderr);
}

#[test]
fn files_are_rewritten_and_only_where_something_changes() {
    let folder = Folder::with(&[("a.arr", b"let  y=1\n"), ("b.arr", b"let y = 1\n"), ("c.txt", b"let  y=1\n")]);
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).expect("a file");
    let ran = folder.arr(&["fmt", "--check", "."]);
    assert_eq!((ran.code, ran.stderr.as_str()), (1, "would format 1 of 2 files\n"));
    assert!(ran.stdout.trim().ends_with("a.arr") && ran.stdout.lines().count() == 1, "{}", ran.stdout);
    let ran = folder.arr(&["fmt", "--diff", "a.arr"]);
    assert_eq!(ran.code, 1);
    assert_eq!(ran.stdout, "--- a.arr\n+++ a.arr\n@@ -1 +1 @@\n-let  y=1\n+let y = 1\n");
    assert_eq!(read("a.arr"), "let  y=1\n");
    let ran = folder.arr(&["fmt", "."]);
    assert_eq!((ran.code, ran.stdout.as_str(), ran.stderr.as_str()), (0, "", "formatted 1 of 2 files\n"));
    assert_eq!((read("a.arr"), read("c.txt")), ("let y = 1\n".to_owned(), "let  y=1\n".to_owned()));
    let ran = folder.arr(&["fmt", "."]);
    assert_eq!((ran.code, ran.stdout.as_str(), ran.stderr.as_str()), (0, "", ""));
}

#[test]
fn what_cannot_be_formatted_is_left_alone() {
    let folder = Folder::with(&[("bad.arr", b"let y = (\n"), ("good.arr", b"let  y=1\n"), ("bytes.arr", b"\xff\n")]);
    let ran = folder.arr(&["fmt", "bad.arr", "good.arr", "bytes.arr"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (1, ""));
    assert!(ran.stderr.contains("E01") && ran.stderr.contains("formatted 1 of 3 files"), "{}", ran.stderr);
    assert_eq!(std::fs::read(folder.path().join("bad.arr")).expect("a file"), b"let y = (\n");
    assert_eq!(folder.arr(&["fmt", "nowhere.arr"]).code, 3);
    assert_eq!(folder.arr(&["fmt"]).code, 2);
}
