//! Headers of `.npy` files, with the data behind them. They lie in every way, and what can be read is read all the
//! same.

use super::*;
use crate::diagnostic::Outcome;
use crate::types::dtype::DType;

#[test]
fn c01_empty_short_and_foreign_files_are_data_errors() {
    assert_eq!(bad(b""), "is empty");
    assert_eq!(bad(b"\x93"), "is no .npy file: it does not begin with \\x93NUMPY");
    assert_eq!(bad(b"hello, world"), "is no .npy file: it does not begin with \\x93NUMPY");
    assert_eq!(bad(b"PK\x03\x04"), "is no .npy file but a zip archive; is it an .npz?");
    for length in 6..10 {
        assert_eq!(bad(&b"\x93NUMPY\x01\x00\x10\x00"[..length]), "ends within its header");
    }
    assert_eq!(bad(b"\x93NUMPY\x09\x09\x00\x00\x00\x00"), "is a .npy file of version 9.9; 1.0, 2.0 and 3.0 are known");
    let missing = read("no-such.npy".as_ref(), &ReadOptions::default()).unwrap_err();
    assert_eq!((missing.outcome(), missing.code.name), (Outcome::Unreachable, "file-unreadable"));
}

#[test]
fn c01_versions_2_and_3_are_read() {
    let header = header_of("'<u2'", "(2,)") + "\n";
    for version in [2, 3] {
        let mut bytes = vec![0x93, b'N', b'U', b'M', b'P', b'Y', version, 0];
        bytes.extend((header.len() as u32).to_le_bytes());
        bytes.extend(header.as_bytes());
        bytes.extend([1, 0, 2, 1]);
        assert_eq!(read_bytes(&bytes, &ReadOptions::default()).unwrap().0.to_vec::<u16>(), [1, 258]);
    }
}

#[test]
fn c02_header_length_lies() {
    assert_eq!(
        bad(b"\x93NUMPY\x01\x00\xff\xff{}\n"),
        "says that its header has 65535 bytes, but the whole file has 13"
    );
    assert_eq!(bad(b"\x93NUMPY\x01\x00\x00\x00{}\n"), "has a header that does not end in a newline");
    assert_eq!(bad(b"\x93NUMPY\x01\x00\x02\x00{}"), "has a header that does not end in a newline");
    let four_gib = b"\x93NUMPY\x02\x00\xff\xff\xff\xff{}\n";
    assert_eq!(bad(four_gib), "says that its header has 4294967295 bytes, but the whole file has 15");
    // A sparse file that has the length it declares: still not read.
    let folder = folder();
    let path = folder.path().join("a.npy");
    fs::write(&path, four_gib).unwrap();
    fs::OpenOptions::new().write(true).open(&path).unwrap().set_len(5 << 30).unwrap();
    let (code, message) = fault(read(&path, &ReadOptions::default()));
    assert_eq!((code, &*message), ("too-large", "has a header of 4294967295 bytes; at most 65536 are read"));
}

#[test]
fn c02_headers_are_read_up_to_their_limit() {
    let header = header_of("'|u1'", "(1,)");
    for (length, fine) in [(65_535, true), (65_536, true), (65_537, false)] {
        let mut bytes = vec![0x93, b'N', b'U', b'M', b'P', b'Y', 2, 0];
        bytes.extend((length as u32).to_le_bytes());
        bytes.extend((header.clone() + &" ".repeat(length - 1 - header.len()) + "\n").bytes());
        bytes.push(7);
        let read = read_bytes(&bytes, &ReadOptions::default());
        assert_eq!(read.map(|(array, _)| array.get(0).bits).ok(), fine.then_some(7), "{length}");
    }
}

#[test]
fn c03_headers_that_are_no_plain_dictionary() {
    let cases = [
        ("", "has a header that cannot be read: a dictionary is missing at byte 0"),
        (
            "{'descr': '<f4', 'fortran_order': False, 'shape': ((2,),), }",
            "has a header that cannot be read: a whole number in the shape is missing at byte 51",
        ),
        ("{'descr': '<f4', 'fortran_order': False, 'shape': (2,), 'x': 1}", "has the unknown key `x` in its header"),
        ("{'descr': '<f4', 'shape': (2,), }", "lacks the key `fortran_order` in its header"),
        ("{'descr': '<f4', 'descr': '<f4', }", "has the key `descr` twice in its header"),
        (
            "{'descr': '<f4', 'fortran_order': False, 'shape': (2,)} or exit()",
            "has more in its header than the dictionary",
        ),
        (
            "{'descr': '\\u003cf4', }",
            "has a header that cannot be read: the end of the dtype in quotes, without escapes, is missing at byte 10",
        ),
        ("{'descr': '<f4', # no\n", "has a header that cannot be read: a key is missing at byte 17"),
        (
            "{'descr': '<f4' 'fortran_order': False}",
            "has a header that cannot be read: `,` or `}` is missing at byte 16",
        ),
        (
            "{'descr': '<f4",
            "has a header that cannot be read: the end of the dtype in quotes, without escapes, is missing at byte 10",
        ),
    ];
    for (header, message) in cases {
        assert_eq!(bad_header(header), message);
    }
    let deep = "{'descr': ".to_string() + &"(".repeat(50_000);
    assert_eq!(fault(read_bytes(&npy(&deep, &[]), &ReadOptions::default())).0, "unsupported-file-dtype");
    let digits = header_of("'<f4'", &format!("({},)", "9".repeat(10_000)));
    let (code, message) = fault(read_bytes(&npy(&digits, &[]), &ReadOptions::default()));
    assert_eq!((code, &*message), ("too-large", "has a length of 2^64 or more in its shape"));
    // What a terminal could obey stays out of the message.
    assert_eq!(bad_header("{'\x1b[2J': 1}"), r"has the unknown key `\u{1b}[2J` in its header");
}

#[test]
fn c03_what_python_writes_otherwise_is_read() {
    for header in [
        "{\"shape\":(2L,),\"fortran_order\":False,\"descr\":\"|u1\"}",
        "  { 'shape' : ( 2 , ) , 'fortran_order' : True , 'descr' : 'u1' }  \n \t",
    ] {
        assert_eq!(read_bytes(&npy(header, &[7, 8]), &ReadOptions::default()).unwrap().0.to_vec::<u8>(), [7, 8]);
    }
}

#[test]
fn c04_fortran_order() {
    let header = "{'descr': '|u1', 'fortran_order': True, 'shape': (2, 3), }";
    let (array, _) = read_bytes(&npy(header, &[1, 2, 3, 4, 5, 6]), &ReadOptions::default()).unwrap();
    assert_eq!((array.strides(), array.to_vec::<u8>()), (&[1, 2][..], vec![1, 3, 5, 2, 4, 6]));
    for other in ["'Maybe'", "1", "true", "None"] {
        let message = bad_header(&header.replace("True", other));
        assert_eq!(
            message,
            "has a header that cannot be read: `True` or `False` as `fortran_order` is missing at byte 33"
        );
    }
}

#[test]
fn c05_all_dtypes_are_read_in_both_byte_orders() {
    for dtype in DType::ALL {
        let size = dtype.size();
        let data: Vec<u8> = (0..2 * size).map(|at| if dtype == DType::Bool { 1 } else { at as u8 + 1 }).collect();
        let options = ReadOptions { dtype: Some(dtype), ..ReadOptions::default() };
        let descr = dtype.row().descr;
        let little = read_bytes(&npy(&header_of(&format!("'{descr}'"), "(2,)"), &data), &options).unwrap().0;
        assert_eq!((little.dtype(), little.contiguous_bytes().unwrap()), (dtype, &data[..]));
        if size > 1 && !npy_header::anonymous(dtype) {
            let mut swapped = data.clone();
            swapped.chunks_exact_mut(dtype.part().size()).for_each(<[u8]>::reverse);
            let descr = format!("'{}'", descr.replace('<', ">"));
            assert_eq!(read_npy(&descr, "(2,)", &swapped).unwrap().0, little);
            let native = descr.replace('>', "=");
            assert_eq!(read_npy(&native, "(2,)", &data).unwrap().0, little);
        }
    }
}

#[test]
fn c05_other_dtypes_are_named() {
    let cases = [
        ("'<f16'", "long doubles (`<f16`)"),
        ("'<c32'", "long doubles (`<c32`)"),
        ("'<M8[ns]'", "dates or times (`<M8[ns]`)"),
        ("'|S5'", "strings (`|S5`)"),
        ("'<U3'", "strings (`<U3`)"),
        ("'|V8'", "raw bytes (`|V8`)"),
        ("'<V2'", "raw bytes (`<V2`)"),
        ("'|f4'", "elements without a byte order (`|f4`)"),
        ("'<f3'", "elements of an unknown dtype (`<f3`)"),
        ("'\x1b]0;'", r"elements of an unknown dtype (`\u{1b}]0;`)"),
        ("[('a', '<f4')]", "records"),
        ("('|u1',)", "arrays within elements"),
        ("('<f4', (2,))", "arrays within elements"),
    ];
    for (descr, what) in cases {
        let expected = ("unsupported-file-dtype", format!("holds {what}: dtype not supported"));
        assert_eq!(fault(read_npy(descr, "(1,)", &[0; 64])), expected);
    }
    assert_eq!(read_npy("'<c8'", "()", &[0, 0, 128, 63, 0, 0, 0, 64]).unwrap().0.dtype(), DType::C64);
}

#[test]
fn c05_two_raw_bytes_are_bf16_only_when_said() {
    let bytes = npy(&header_of("'|V2'", "(1,)"), &[0x80, 0x3f]);
    let said = ReadOptions { dtype: Some(DType::Bf16), ..ReadOptions::default() };
    assert_eq!(read_bytes(&bytes, &said).unwrap().0.to_vec::<half::bf16>(), [half::bf16::ONE]);
    let error = read_bytes(&bytes, &ReadOptions::default()).unwrap_err();
    assert_eq!(
        error.help.as_deref(),
        Some("if these are bfloat16 numbers, an input of `bf16[..]` reads them: `NAME:bf16[..]=FILE`")
    );
    let bytes = npy(&header_of("'<V1'", "(1,)"), &[0x3c]);
    let error = read_bytes(&bytes, &ReadOptions::default()).unwrap_err();
    assert_eq!(
        error.help.as_deref(),
        Some("if these are float8_e4m3fn numbers, an input of `f8_e4m3[..]` reads them: `NAME:f8_e4m3[..]=FILE`")
    );
}

#[test]
fn c06_objects_are_never_read() {
    let (code, message) = fault(read_npy("'|O'", "(1,)", b"cos\nsystem\n(S'echo'\ntR."));
    assert_eq!((code, &*message), ("unsupported-file-dtype", "holds Python objects (`|O`): dtype not supported"));
}

#[test]
fn c07_impossible_shapes() {
    let bad_shapes = [
        ("(-1,)", "has a negative length in its shape"),
        ("(2.0,)", "has a header that cannot be read: a whole number in the shape is missing at byte 51"),
        ("(2)", "has a header that cannot be read: `,` in a shape of one axis is missing at byte 53"),
        ("2", "has a header that cannot be read: the shape, a tuple, is missing at byte 50"),
    ];
    for (shape, message) in bad_shapes {
        assert_eq!(fault(read_npy("'<f4'", shape, &[])), ("bad-array-file", message.to_string()));
    }
    let ones = |rank: usize| format!("({})", "1, ".repeat(rank));
    for shape in
        ["(18446744073709551616,)", "(9223372036854775808,)", "(4294967296, 4294967296)", "(0, 4611686018427387904)"]
    {
        assert_eq!(fault(read_npy("'<f4'", shape, &[])).0, "too-large", "{shape}");
    }
    let empty = fault(read_npy("'<f4'", "(0, 4611686018427387904)", &[])).1;
    assert!(empty.starts_with("has axes that are too long"), "{empty}");
    assert_eq!(fault(read_npy("'|u1'", &format!("({},)", (1u64 << 48) + 1), &[])).0, "too-large");
    assert_eq!(fault(read_npy("'|u1'", &format!("({},)", 1u64 << 48), &[])).0, "truncated-file");
    for rank in [31, 32] {
        assert_eq!(read_npy("'|u1'", &ones(rank), &[9]).unwrap().0.shape().len(), rank);
    }
    assert_eq!(fault(read_npy("'|u1'", &ones(33), &[9])).1, "holds an array of 33 axes; at most 32 are possible");
}

#[test]
fn c08_data_shorter_or_longer_than_the_header_says() {
    let (code, message) = fault(read_npy("'<f8'", "(3,)", &[0; 17]));
    assert_eq!(
        (code, &*message),
        ("truncated-file", "is cut short: its header needs 24 bytes of data, but it holds 17 bytes")
    );
    let (array, warnings) = read_npy("'<f8'", "(2,)", &[0; 17]).unwrap();
    assert_eq!((array.len(), warnings.len(), warnings[0].code.name), (2, 1, "trailing-data"));
    assert!(warnings[0].message.ends_with("has 1 byte behind the array its header describes; they are ignored"));
}

#[test]
fn c09_a_small_file_that_declares_32_gib() {
    let (code, message) = fault(read_npy("'<f8'", "(4294967296,)", &[]));
    assert_eq!(
        (code, &*message),
        ("truncated-file", "is cut short: its header needs 32.0 GiB of data, but it holds 0 bytes")
    );
}

#[test]
fn truth_values_other_than_0_and_1_become_1() {
    let (array, _) = read_npy("'|b1'", "(4,)", &[0, 1, 2, 255]).unwrap();
    assert_eq!(array.contiguous_bytes(), Some(&[0, 1, 1, 1][..]));
    let mut large = vec![1; 100_000];
    large[99_999] = 7;
    let (array, _) = read_npy("'|b1'", "(100000,)", &large).unwrap();
    assert_eq!(array.contiguous_bytes().unwrap()[99_999], 1);
}

#[test]
fn data_at_an_odd_offset_is_mapped() {
    let header = header_of("'<f8'", "(100000,)");
    for pad in 0..8 {
        let data: Vec<u8> = (0..100_000).flat_map(|value| f64::from(value).to_le_bytes()).collect();
        let bytes = npy(&(header.clone() + &" ".repeat(pad)), &data);
        let (array, _) = read_bytes(&bytes, &ReadOptions::default()).unwrap();
        assert_eq!(array.to_vec::<f64>()[99_999], 99_999.0);
    }
}
