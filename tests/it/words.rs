//! Words and dates of tables: compared as what they mean, with and without the data.

use crate::shell::Folder;

#[test]
fn words_of_two_columns_are_compared_as_words() {
    let folder =
        Folder::with(&[("a.csv", b"sym\nAAPL\nMSFT\nIBM\n" as &[u8]), ("b.csv", b"sym,way\nIBM,IBM\nAAPL,MSFT\n")]);
    let of = |text: &str| {
        let run = folder.arr(&["eval", text, "a=a.csv:sym", "b=b.csv:sym", "c=b.csv:way"]);
        assert_eq!(run.code, 0, "{text}: {}", run.stderr);
        run.stdout.trim_end().to_owned()
    };
    assert_eq!(of("isin(a, b)"), "[ true false  true] : bool[3]");
    assert_eq!(of("a[:2] == b"), "[false false] : bool[2]");
    assert_eq!(of("a[::2][::-1] == b"), "[true true] : bool[2]");
    assert_eq!(of("b != c"), "[false  true] : bool[2]");
    assert_eq!(of("b == c[:1]"), "[ true false] : bool[2]");
    assert_eq!(of("concat((a, b, c))"), "[0 1 2 2 0 2 1] : i32[7], where 0 is \"AAPL\", 1 is \"MSFT\", 2 is \"IBM\"");
    assert_eq!(of("union1d(b, c)"), "[0 1 2] : i32[3], where 0 is \"IBM\", 1 is \"AAPL\", 2 is \"MSFT\"");
    for text in ["a < a", "a[:2] >= b"] {
        let run = folder.arr(&["eval", text, "a=a.csv:sym", "b=b.csv:sym"]);
        assert!(
            run.code == 1 && run.said().contains("their codes are in order of appearance"),
            "{text}: {}",
            run.said()
        );
    }
}

#[test]
fn words_are_words_before_anything_is_read() {
    let folder = Folder::with(&[
        ("t.csv", b"item,sales\napple,1\nfig,2\nfig,4.5\n" as &[u8]),
        ("other.csv", b"item\nfig\npear\nplum\n"),
        ("open.arr", b"input item: words[n]\ninput sales: f64[n]\noutput total = sum(sales, where=item == \"fig\")\n"),
        (
            "given.arr",
            b"input item: i32[n] = codes(\"other.csv:item\")\ninput sales: f64[n]\nsum(sales, where=item == \"fig\")\n",
        ),
    ]);
    let check = folder.arr(&["check", "open.arr", "given.arr"]);
    assert_eq!((check.code, check.said().as_str()), (0, ""));
    let total = |args: &[&str]| folder.arr(args).stdout;
    assert_eq!(total(&["run", "open.arr", "item=t.csv:item", "sales=t.csv:sales"]), "total = 6.5 : f64\n");
    assert_eq!(total(&["run", "open.arr", "*=t.csv"]), "total = 6.5 : f64\n");
    assert_eq!(total(&["run", "given.arr", "sales=t.csv:sales"]), "1.0 : f64\n");
    assert_eq!(total(&["run", "given.arr", "item=t.csv:item", "sales=t.csv:sales"]), "6.5 : f64\n");
    let build = folder.arr(&["build", "open.arr", "-o", "open.o"]);
    assert!(build.code == 1 && build.said().contains("which code \"fig\" has"), "{}", build.said());
}

#[test]
fn texts_beside_words_and_dates_are_what_they_mean() {
    let folder = Folder::with(&[
        ("t.csv", b"item,day\napple,2026-01-05\nfig,2026-01-06\npear,2026-01-07\n" as &[u8]),
        ("open.arr", b"input item: words[n]\nisin(item, [\"fig\", \"pear\"])\n"),
    ]);
    let of = |text: &str| folder.arr(&["eval", text, "item=t.csv:item", "day:date[n]=t.csv:day"]);
    assert_eq!(of("isin(item, [\"fig\", \"apple\"])").stdout, "[ true  true false] : bool[3]\n");
    assert_eq!(of("isin(day, [\"2026-01-07\"])").stdout, "[false false  true] : bool[3]\n");
    assert_eq!(of("searchsorted(day, \"2026-01-06\")").stdout, "1 : i32\n");
    let misspelt = folder.arr(&["eval", "isin(item, [\"fig\", \"aple\"])", "item=t.csv:item", "-v"]);
    assert!(misspelt.said().contains("did you mean \"apple\"?"), "{}", misspelt.said());
    assert!(of("maximum(item, \"fig\")").said().contains("`maximum` cannot compare words"));
    assert!(of("isin([1, 2], [\"fig\"])").said().contains("not a string"));
    assert_eq!(folder.arr(&["check", "open.arr"]).code, 0);
    assert_eq!(folder.arr(&["run", "open.arr", "item=t.csv:item"]).stdout, "[false  true  true] : bool[3]\n");
}

#[test]
fn what_is_chosen_joined_or_stored_stays_words() {
    let folder = Folder::with(&[
        ("t.csv", b"item,other,n,day\na,x,1,2026-01-05\nb,b,20,2026-01-06\na,y,30,2026-01-07\n" as &[u8]),
        ("put.arr", b"input item: words[n]\nvar y = item\ny[0] = \"b\"\ny[1:] = \"c\"\ny\n"),
        ("masked.arr", b"input item: words[n]\ninput n: i64[n]\nvar y = item\ny[n > 10] = \"c\"\ny\n"),
    ]);
    let arr = |args: &[&str]| {
        let run = folder.arr(args);
        assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{args:?}");
        run.stdout.trim_end().to_owned()
    };
    let words = |text: &str| arr(&["eval", text, "*=t.csv"]);
    assert_eq!(
        words("where(n > 10, item, other)"),
        r#"[2 1 0] : i32[3], where 0 is "a", 1 is "b", 2 is "x", 3 is "y""#
    );
    assert_eq!(words("where(n > 10, item, \"else\")"), r#"[2 1 0] : i32[3], where 0 is "a", 1 is "b", 2 is "else""#);
    assert_eq!(words("where(n > 10, \"b\", item)"), r#"[1 0 0] : i32[3], where 0 is "b", 1 is "a""#);
    assert_eq!(words("where(n > 10, item, -1)"), r#"[-1  1  0] : i32[3], where 0 is "a", 1 is "b""#);
    assert_eq!(words("where(n > 10, item, other) == \"x\""), "[ true false false] : bool[3]");
    // Numbers beside words, and the largest code, are numbers.
    assert_eq!(words("where(n > 10, item, n)"), "[1 1 0] : i64[3]");
    assert_eq!(words("max(where(n > 10, item, other))"), "2 : i32");
    let dates = |text: &str| arr(&["eval", text, "*=t.csv", "day:date[n]=t.csv:day"]);
    assert_eq!(dates("where(n > 10, day, \"2025-12-31\")"), "[2025-12-31 2026-01-06 2026-01-07] : i64[3]");
    assert_eq!(dates("clip(day, \"2026-01-06\", \"2026-12-31\")"), "[2026-01-06 2026-01-06 2026-01-07] : i64[3]");
    assert_eq!(dates("concat((day[1:], day[:1]))"), "[2026-01-06 2026-01-07 2026-01-05] : i64[3]");
    assert_eq!(arr(&["check", "put.arr", "masked.arr"]), "");
    assert_eq!(arr(&["run", "put.arr", "item=t.csv:item"]), r#"[1 2 2] : i32[3], where 0 is "a", 1 is "b", 2 is "c""#);
    assert_eq!(arr(&["run", "masked.arr", "*=t.csv"]), r#"[0 2 2] : i32[3], where 0 is "a", 1 is "b", 2 is "c""#);
    let written = arr(&["eval", "where(n > 10, item, other)", "*=t.csv", "-o", "w.csv"]);
    let read = std::fs::read_to_string(folder.path().join("w.csv")).unwrap();
    assert_eq!((written.as_str(), read.as_str()), ("", "\"where(n > 10, item, other)\"\nx\nb\na\n"));
}

#[test]
fn codes_that_came_without_words_have_none_to_tell() {
    let folder = Folder::new();
    assert_eq!(folder.arr(&["eval", "i32([1, 2])", "-o", "x.npy"]).code, 0);
    assert_eq!(folder.arr(&["eval", "x", "x:words[n]=x.npy"]).stdout, "[1 2] : i32[2]\n");
}
