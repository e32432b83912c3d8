//! The table of constants: every name that stands for a number of its own is one row.
//!
//! ```
//! use arrlang::ops::constants;
//! assert_eq!(constants::find("tau").map(|constant| constant.value), Some(std::f64::consts::TAU));
//! assert!(constants::find("e").is_none());
//! ```

/// A name that stands for a number.
#[derive(Clone, Copy, Debug)]
pub struct Constant {
    /// How it is written.
    pub name: &'static str,
    /// The number, which takes the dtype that it meets.
    pub value: f64,
}

/// All constants.
pub static CONSTANTS: [Constant; 4] = [
    Constant { name: "pi", value: std::f64::consts::PI },
    Constant { name: "tau", value: std::f64::consts::TAU },
    Constant { name: "inf", value: f64::INFINITY },
    Constant { name: "nan", value: f64::NAN },
];

/// The constant of this name.
pub fn find(name: &str) -> Option<&'static Constant> {
    CONSTANTS.iter().find(|constant| constant.name == name)
}
