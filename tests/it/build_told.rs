//! What functions that `arr build` made say of their arguments, and what is left of a build that a signal ends.

use crate::build::built;
use crate::shell::{Folder, command};

#[test]
fn a_position_that_does_not_fit_is_told_by_its_line() {
    let folder = Folder::new();
    folder.write(
        "places.arr",
        b"input x: f64[n]\ninput i: i64\ninput j: i64\noutput a = x[i:i+2]\noutput b = x[j:j+2]\noutput c = x[i]\n",
    );
    built(&folder, &["places.arr", "-o", "libplaces.so", "--header", "places.h"]);
    let header = std::fs::read_to_string(folder.path().join("places.h")).unwrap();
    let lines: Vec<&str> = header.lines().filter(|line| line.trim_start().starts_with('1')).collect();
    for (number, said) in [
        (4, "a slice that begins at N does not lie in its axis: `"),
        (5, "a slice that begins at N does not lie in its axis: `"),
        (6, "a position is outside of axis 0: `"),
    ] {
        let place = format!("` in line {number}");
        assert!(lines.iter().any(|line| line.contains(said) && line.ends_with(&place)), "{header}");
    }
    let ran = folder.arr(&["run", "libplaces.so", "x=[1, 2, 3]", "i=0", "j=2"]);
    assert!(ran.code == 1 && ran.stderr.contains("` in line 5"), "{}", ran.stderr);
}

#[test]
fn a_signal_leaves_no_parts() {
    let folder = Folder::with(&[
        ("fine.arr", b"input x: f32[n]\noutput y = x + 1\n"),
        ("slow.sh", b"touch started\nexec sleep 5\n"),
    ]);
    let parts = folder.path().join("parts");
    std::fs::create_dir(&parts).unwrap();
    let mut slow = command(folder.path(), &["build", "fine.arr", "-o", "libslow.so"]);
    let mut child = slow.env("CC", "sh slow.sh").env("TMPDIR", &parts).spawn().unwrap();
    let names = || std::fs::read_dir(&parts).unwrap().count();
    for _ in 0..2000 {
        if folder.path().join("started").exists() {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    assert_eq!(names(), 1);
    let id = child.id().to_string();
    assert!(std::process::Command::new("kill").args(["-TERM", &id]).status().unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert_eq!(names(), 0);
    assert!(!folder.path().join("libslow.so").exists());
}
