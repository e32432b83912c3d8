//! Pictures, then archives, byte by byte.

use super::super::encode::{NamedArray, NumberStyle};
use super::super::{prepare, read, stage};
use super::{folder, ramp};
use crate::array::Array;
use crate::array::logical::Logical;
use crate::io::ReadOptions;
use crate::source::stop::Stop;
use std::io::Read;

fn written(name: &str, arrays: &[NamedArray<'_>]) -> Result<Vec<u8>, String> {
    let folder = folder();
    let path = folder.path().join(name);
    let staged = stage(&prepare(&path).unwrap(), arrays, NumberStyle::default(), Stop::default());
    staged.map_err(|error| error.message)?.replace().unwrap();
    Ok(std::fs::read(path).unwrap())
}

#[test]
fn pictures_are_packed_lines_of_bytes() {
    let pixels: Vec<u8> = (0..24).collect();
    for (shape, colours) in [(&[4, 6][..], 0), (&[4, 2, 3][..], 2), (&[3, 2, 4][..], 6)] {
        let array = Array::from_elements(shape, &pixels);
        let bytes = written("x.png", &[NamedArray { name: "x", array: &array }]).unwrap();
        assert!(bytes.starts_with(b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR") && bytes.ends_with(b"IEND\xae\x42\x60\x82"));
        assert_eq!((bytes[19], bytes[23], bytes[24], bytes[25]), (shape[1] as u8, shape[0] as u8, 8, colours));
        let len = u32::from_be_bytes(bytes[33..37].try_into().unwrap()) as usize;
        let mut lines = Vec::new();
        flate2::read::ZlibDecoder::new(&bytes[41..41 + len]).read_to_end(&mut lines).unwrap();
        let width = 24 / shape[0] + 1;
        let plain: Vec<u8> = lines.chunks(width).flat_map(|line| line[1..].to_vec()).collect();
        assert_eq!((plain, lines.len()), (pixels.clone(), 24 + shape[0]));
    }
    let one = Array::from_elements(&[2], &[1u8, 2]);
    assert!(written("x.png", &[NamedArray { name: "x", array: &one }]).unwrap_err().contains("not u8[2]"));
    let signed = Array::from_elements(&[1, 2], &[1i8, -2]);
    assert!(written("x.png", &[NamedArray { name: "x", array: &signed }]).unwrap_err().contains("`u8(maximum(x, 0))`"));
}

#[test]
fn archives_are_read_back_whatever_the_order_of_elements() {
    let (a, b) = (ramp::<f64>(20_000), Array::from_elements(&[2, 3], &[1i16, 2, 3, 4, 5, 6]));
    let turned = b.view(vec![3, 2], vec![2, 6], 0);
    let arrays = [NamedArray { name: "a", array: &a }, NamedArray { name: "turned", array: &turned }];
    for name in ["x.npz", "x.safetensors"] {
        let folder = folder();
        let path = folder.path().join(name);
        std::fs::write(&path, written(name, &arrays).unwrap()).unwrap();
        for NamedArray { name: member, array } in &arrays {
            let path = folder.path().join(format!("{name}:{member}"));
            assert!(read(&path, &ReadOptions::default()).unwrap().0 == **array, "{name}:{member}");
        }
        let twice = [arrays[0], arrays[0]];
        assert!(written(name, &twice).unwrap_err().contains("two arrays have the name `a`"));
    }
}

#[test]
fn tables_are_packed_as_their_names_say() {
    let array = ramp::<f64>(100_000);
    let plain = written("x.csv", &[NamedArray { name: "x", array: &array }]).unwrap();
    for (name, first) in [("x.csv.gz", &[0x1f, 0x8b][..]), ("x.CSV.ZST", &[0x28, 0xb5, 0x2f, 0xfd])] {
        let folder = folder();
        let packed = written(name, &[NamedArray { name: "x", array: &array }]).unwrap();
        assert!(packed.starts_with(first) && packed.len() < plain.len(), "{name}");
        let path = folder.path().join(name);
        std::fs::write(&path, packed).unwrap();
        assert!(read(&path, &ReadOptions::default()).unwrap().0 == array, "{name}");
    }
}

#[test]
fn tables_are_written_so_that_they_read_back_or_not_at_all() {
    let (one, two) = (Array::from_elements(&[1], &[5i64]), Array::from_elements(&[1, 2], &[1i64, 2]));
    let text = |named: &[NamedArray<'_>]| written("x.csv", named).map(|bytes| String::from_utf8(bytes).unwrap());
    for (name, header) in [("5", "x_5"), ("-3", "x_-3"), ("inf", "x_inf"), ("x", "x"), ("NA", "NA")] {
        assert_eq!(text(&[NamedArray { name, array: &one }]), Ok(format!("{header}\n5\n")));
    }
    for (name, header) in [("[5][0:]", "\"[5][0:]\""), ("x - 1", "\"x - 1\""), ("s[:2]", "s[:2]")] {
        let wanted = format!("{header}\n5\n");
        assert_eq!(text(&[NamedArray { name, array: &one }]), Ok(wanted), "it would be JSON, or parted by blanks");
    }
    let clash = [NamedArray { name: "m_1", array: &one }, NamedArray { name: "m", array: &two }];
    assert!(text(&clash).unwrap_err().ends_with("two columns would have the name `m_1`"));
    let apart = [NamedArray { name: "m_3", array: &one }, NamedArray { name: "m", array: &two }];
    assert_eq!(text(&apart), Ok("m_3,m_1,m_2\n5,1,2\n".to_owned()));
    let none = Array::from_elements::<f64>(&[3, 0], &[]);
    assert!(text(&[NamedArray { name: "z", array: &none }]).unwrap_err().ends_with("and `z` is f64[3, 0]"));
    let late = Array::from_elements(&[2], &[0i64, 3_000_000]).with_logical(Logical::Date);
    assert!(text(&[NamedArray { name: "d", array: &late }]).unwrap_err().contains("a date beyond the years 0 to 9999"));
}
