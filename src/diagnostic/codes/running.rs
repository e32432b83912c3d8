//! Codes E05xx: inputs, files, running, limits.
//!
//! Examples whose data must exist name files of [`FILES`]; whoever runs the examples puts these in the folder first.

use super::{ERROR, Row, WARNING, rows, run, unshown};

/// Small data files that examples of this family read: name and contents.
pub static FILES: &[(&str, &[u8])] = &[
    ("good.npy", b"\x93NUMPY\x01\x00\x3a\x00{'descr': '|u1', 'fortran_order': False, 'shape': (2,), }\n\x01\x02"),
    ("long.npy", b"\x93NUMPY\x01\x00\x3a\x00{'descr': '|u1', 'fortran_order': False, 'shape': (2,), }\n\x01\x02\x03"),
    ("short.npy", b"\x93NUMPY\x01\x00\x3a\x00{'descr': '|u1', 'fortran_order': False, 'shape': (9,), }\n\x01\x02"),
    (
        "huge.npy",
        b"\x93NUMPY\x01\x00\x4c\x00{'descr': '|u1', 'fortran_order': False, 'shape': (9000000000000000000,), }\n",
    ),
    ("objects.npy", b"\x93NUMPY\x01\x00\x39\x00{'descr': '|O', 'fortran_order': False, 'shape': (1,), }\n."),
    ("text.npy", b"1 2 3\n"),
    ("good.toml", b"edges = [\"u8 -> i16\", \"i8 -> i16\", \"i16 -> i*\"]\n"),
    ("bad.toml", b"edges = [\"u8 -> i16\", \"i8 -> i16\", \"u8 -> i32\", \"i8 -> i32\"]\n"),
    ("table.csv", b"a,b\n1,0.5\n2,1.5\n"),
    ("mixed.csv", b"a,b\n1,x\n2,7\n"),
    ("lossy.csv", b"zip,price\n01069,1.5\n80331,2.5\n"),
];

rows! {
    /// The system refuses to open or read a file, or it is no regular file.
    FILE_UNREADABLE = Row {
        id: "E0510",
        name: "file-unreadable",
        summary: "a file that cannot be read",
        levels: ERROR,
        page: "The file does not exist, may not be read, or is not a regular file: folders, devices and pipes are not \
               mapped. Where the system refuses, the exit code is 3. `~`, `$NAME` and `*` are not expanded here; \
               that is the shell's work.",
        failing: run("input x: u8[n]\nx + 1", &["x=missing.npy"]),
        corrected: run("input x: u8[n]\nx + 1", &["x=good.npy"]),
    };
    /// The system refuses to create, write or rename an output.
    FILE_UNWRITABLE = Row {
        id: "E0511",
        name: "file-unwritable",
        summary: "an output that cannot be written",
        levels: ERROR,
        page: "Outputs are tried before the computation begins: the folder must exist and be writable. They are written \
               to a new file beside the target that takes its place when it is complete, so a failure (a full disk, \
               an interruption) leaves the old file as it was. The exit code is 3. Two outputs that are one file, by \
               whatever names, and reports over what the command reads are refused before anything runs.",
        failing: run("output y = [1, 2]", &["-o", "y=missing/y.npy"]),
        corrected: run("output y = [1, 2]", &["-o", "y=y.npy"]),
    };
    /// The contents of a file are not what its name promises.
    BAD_ARRAY_FILE = Row {
        id: "E0512",
        name: "bad-array-file",
        summary: "a file whose contents are damaged or of another format",
        levels: ERROR,
        page: "The file was read, but what it says of itself is not true or not allowed: its first bytes, its header, \
               its checksum. Nothing is guessed: write the file again.",
        failing: run("input x: u8[n]\nx + 1", &["x=text.npy"]),
        corrected: run("input x: u8[n]\nx + 1", &["x=good.npy"]),
    };
    /// Elements that `arr` has no dtype for.
    UNSUPPORTED_FILE_DTYPE = Row {
        id: "E0513",
        name: "unsupported-file-dtype",
        summary: "a file with elements that no dtype here can hold",
        levels: ERROR,
        page: "Strings, dates, records, Python objects and long doubles have no dtype here; the bytes of objects are never \
               read. Elements of anonymous bytes, two (`|V2`) or one (`|V1`), are read as `bf16` or `f8_e4m3` when the \
               program or the command line says so: `x:bf16=x.npy`.",
        failing: run("input x: u8[n]\nx + 1", &["x=objects.npy"]),
        corrected: run("input x: u8[n]\nx + 1", &["x=good.npy"]),
    };
    /// Fewer bytes than the header promises.
    TRUNCATED_FILE = Row {
        id: "E0514",
        name: "truncated-file",
        summary: "a file that is shorter than its header says",
        levels: ERROR,
        page: "The sizes are compared before anything is read. The usual cause is a copy or a download that was \
               interrupted. A file that becomes shorter while it is in use is told by the same code and exit code 3, \
               whenever that is found: while the program runs, or while a result that lies in the file is written or printed; \
               the old output stays. In a session, arrays over such a file are refused from then on: load it again. Who writes \
               a new file and renames it over the old one disturbs nobody.",
        failing: run("input x: u8[n]\nx + 1", &["x=short.npy"]),
        corrected: run("input x: u8[n]\nx + 1", &["x=good.npy"]),
    };
    /// More bytes than the header promises.
    TRAILING_DATA = Row {
        id: "E0515",
        name: "trailing-data",
        summary: "a file that is longer than its header says",
        levels: WARNING,
        about: "files",
        page: "The array is read as the header describes it and the bytes behind it are ignored. Several arrays saved \
               to one file one after the other look like this; only the first is read.",
        failing: run("input x: u8[n]\nx + 1", &["x=long.npy"]),
        corrected: run("input x: u8[n]\nx + 1", &["x=good.npy"]),
    };
    /// No format goes by this file name.
    UNKNOWN_FORMAT = Row {
        id: "E0516",
        name: "unknown-format",
        summary: "a file name that tells no known format",
        levels: ERROR,
        page: "The end of the name tells the format: `.npy`, and for reading also `.npz`, `.safetensors`, `.csv`, `.tsv` and `.txt`. \
               An `arr` built with the feature `tables` has `.parquet`, `.arrow` and `.feather` too. A script that \
               another one uses ends in `.arr`, also where a link leads. Other files that the command line names are known by their \
               first bytes, unless they are tables of text; `--format-in` says their format. \
               `.json` and `.png` are written only; standard input and `.txt` that begin as JSON or a picture does are no tables.",
        failing: run("input x: u8[n]\nx + 1", &["x=@data.bin"]),
        corrected: run("input x: u8[n]\nx + 1", &["x=@good.npy"]),
    };
    /// A limit on files or arrays is exceeded.
    TOO_LARGE = Row {
        id: "E0517",
        name: "too-large",
        summary: "a file or array beyond a limit",
        levels: ERROR,
        page: "Arrays have at most 32 axes and 2^48 elements, and must be addressable in memory; scripts have at most 64 MiB, \
               settings and headers of `.npy` files 64 KiB, a record of a table 8 MiB. What is read rather than mapped (`--copy`, \
               other byte orders, archives, tables, headers) counts towards `--max-mem`, that of all files together.",
        failing: run("input x: u8[n]\nx + 1", &["x=huge.npy"]),
        corrected: run("input x: u8[n]\nx + 1", &["x=good.npy"]),
    };
    /// The allocator has no memory for an array.
    OUT_OF_MEMORY = Row {
        id: "E0518",
        name: "out-of-memory",
        summary: "an array that does not fit in memory",
        levels: ERROR,
        page: "The sizes are known before the computation, and memory is asked for before it is touched. Smaller \
               inputs, narrower dtypes or a reduction written earlier need less.",
        failing: run("arange(1000000) * 2", &["--max-mem=1MiB"]),
        corrected: run("arange(1000) * 2", &["--max-mem=1MiB"]),
    };
    /// An array file changed between the start and the end of the run.
    FILE_CHANGED = Row {
        id: "E0519",
        name: "file-changed",
        summary: "an input file that was modified during the run",
        levels: WARNING,
        about: "files",
        page: "Inputs are mapped, not copied, so a file that another program writes to meanwhile may be seen half old, \
               half new. `--copy` reads inputs once at the start; replacing the file by renaming a new one is safe \
               either way. A session tells this for every input that uses an array of the old file, until it is loaded again.",
        failing: run("input x: u8[n]\nx + 1", &["x=good.npy"]),
        corrected: run("input x: u8[n]\nx + 1", &["x=good.npy", "--copy"]),
    };
    /// An archive or table without the wanted member.
    UNKNOWN_MEMBER = Row {
        id: "E0520",
        name: "unknown-member",
        summary: "a name that an archive or table does not hold",
        levels: ERROR,
        page: "Files that hold several arrays are followed by `:` and the name of one: `d.npz:x`, `m.safetensors:weight`, \
               `t.csv:column`; columns are also known by their places, counted from 1, where no \
               column has that number as its name: `t.csv:3`. `*=FILE` cannot tell `a b` from `a.b`, which are both \
               `a_b`, unless one is called so.",
        failing: run("input x: i64[n]\nx + 1", &["x=table.csv:c"]),
        corrected: run("input x: i64[n]\nx + 1", &["x=table.csv:a"]),
    };
    /// A file outside the folders that may be read.
    FILE_NOT_ALLOWED = Row {
        id: "E0521",
        name: "file-not-allowed",
        summary: "a file outside the folders that a script may read",
        levels: ERROR,
        page: "A script names files only below its own folder (the working directory for `arr eval`, standard input and \
               the REPL), wherever `..` and links lead, so that a stranger's script can be run: data, scripts that it uses, \
               and promotion systems. An `arr.toml` names its system below its own folder. `--allow-read DIR` adds \
               a folder. Files on the command line (`x=../x.npy`) are yours to name and may lie anywhere.",
        failing: run("load(\"/dev/null\")", &["--mode=all"]),
        corrected: run("load(\"good.npy\")", &["--mode=all"]),
    };
    /// A user's own promotion system that is none.
    BAD_SYSTEM_FILE = Row {
        id: "E0522",
        name: "bad-system-file",
        summary: "a file that describes no promotion system",
        levels: ERROR,
        page: "A system of your own is a file of edges, `edges = [\"u8 -> i16\", \"i8 -> i16\"]`, from each type to those \
               directly above it; `name`, `summary`, `like` and `defaults` may stand beside them. Any two types that it \
               names need exactly one lowest type above both, or an expression would have no dtype, or more than one. The \
               help shows a counterexample. Of a file without `edges` nothing is shown: it may be anything.",
        failing: run("promotion \"bad.toml\"\nu8(1) + i8(1)", &["--mode=all"]),
        corrected: run("promotion \"good.toml\"\nu8(1) + i8(1)", &["--mode=all"]),
    };
    /// An `arr.toml` that says what cannot be.
    BAD_CONFIG_FILE = Row {
        id: "E0523",
        name: "bad-config-file",
        summary: "an `arr.toml` with a mistake",
        levels: ERROR,
        page: "The nearest `arr.toml` above a script holds for it: `system`, `mode`, `width`, `checked`, `allow-read` and a \
               table `[lints]` with a level for each finding, `precision-loss = \"deny\"`. What it does not know is an error, \
               so that a misspelled rule is not silently no rule. `allow-read` opens folders of the same project, below the \
               repository or the file's own folder; others are opened by `--allow-read` on the command line, so that a \
               stranger's files can be looked at. The search upward ends at the top of a repository, in the home folder and at \
               the edge of a file system, a file of another user is not followed, and `ARR_CONFIG=FILE` names one instead.",
        failing: unshown(),
        corrected: unshown(),
    };
    /// A column of words among which is something that is more than a word.
    MIXED_COLUMN = Row {
        id: "E0524",
        name: "mixed-column",
        summary: "a column of words that has numbers, dates or truth values too",
        levels: WARNING,
        about: "files",
        page: "A column of a table that begins with a word is read as codes of words, and so is all that follows. If a cell is a \
               number, a date, a truth value, or a number as people write it (`1,234`, `1,5`, `$5`, `12%`), somebody may have meant \
               something else, and arithmetic would be done with codes. `codes(\"t.csv:b\")` says that words are meant. Declared as \
               `b: f64[n]`, the column is read as numbers, and the first cell that is none is an error with its line. \
               `arr explain t.csv:b` counts what the cells are. A table of one column whose first line has `;`, a tab or the like is told, too: \
               `--delimiter ';'` says what parts its fields.",
        failing: run("load(\"mixed.csv:b\")", &["--mode=all"]),
        corrected: run("codes(\"mixed.csv:b\")", &["--mode=all"]),
    };
    /// A script, or a target, of which `arr build` makes no object.
    NO_OBJECT = Row {
        id: "E0525",
        name: "no-object",
        summary: "a script, a target or a name that `arr build` makes no object of",
        levels: ERROR,
        page: "Functions of an object have memory of their caller and nothing else. What libraries compute, lengths that data \
               decides, some that a step of a loop decides, and scripts without an `output` are not built; `arr run` runs them. Targets are Linux on x86-64, \
               and on aarch64 and riscv64 where `arr` has those features. A function cannot be called as \
               C's own are (`exp`, `main`, `int`): `--name` gives another name. Nothing is written.",
        failing: unshown(),
        corrected: unshown(),
    };
    /// A compiler or an archiver that `arr build` calls, and that fails.
    NOT_LINKED = Row {
        id: "E0526",
        name: "not-linked",
        summary: "a library that the tools of C did not make",
        levels: ERROR,
        page: "Shared libraries are linked by `cc`, archives made by `ar`, or by what the variables `CC` and `AR` name; for other \
               processors by those of Debian, `aarch64-linux-gnu-gcc`. Objects (`-o name.o`) need neither. The exit code is 3, \
               and an old file stays as it was.",
        failing: unshown(),
        corrected: unshown(),
    };
    /// A column of which something is not kept when it is read.
    LOSSY_COLUMN = Row {
        id: "E0527",
        name: "lossy-column",
        summary: "a column of a table that says more than the array made of it",
        levels: WARNING,
        about: "files",
        page: "Text can say what no element holds. `01069` read as a number is 1069, and a code or a postal number has lost its \
               zero: `codes(\"t.csv:zip\")` keeps it, and declared as `zip: i64[n]` numbers are meant. A whole number beyond 2^53 in \
               a column of floats keeps sixteen digits: `i64[n]` keeps all. `1e400` is infinite in `f64`, and `1e-400` is 0. \
               A blank line in a table of one column is no row; `NA` is one without a value. Each is told once for each column.",
        failing: run("load(\"lossy.csv:zip\")", &["--mode=all"]),
        corrected: run("codes(\"lossy.csv:zip\")", &["--mode=all"]),
    };
}
