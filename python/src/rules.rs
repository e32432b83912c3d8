//! Under which rules a text is checked: system, mode, width, faults.

use arrlang::check::setting;
use arrlang::promotion::systems;
use arrlang::promotion::verdict::Mode;
use arrlang::session::Session;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyString;

/// What Python's users expect where nothing is said.
const SYSTEM: &str = "numpy";

/// What a caller chose; what he left open is the text's own, or the default.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) struct Rules {
    system: Option<String>,
    mode: Option<String>,
    width: Option<u32>,
    checked: bool,
}

impl FromPyObject<'_, '_> for Rules {
    type Error = PyErr;

    fn extract(value: Borrowed<'_, '_, PyAny>) -> PyResult<Self> {
        fn option<'py, T: FromPyObjectOwned<'py>>(
            value: Borrowed<'_, 'py, PyAny>,
            name: &Bound<'py, PyString>,
            what: &str,
        ) -> PyResult<T> {
            let given = value.get_item(name)?;
            let wrong = |_| PyTypeError::new_err(format!("{name} is {what}, not {given}"));
            given.extract().map_err(wrong)
        }
        Ok(Rules {
            system: option(value, intern!(value.py(), "system"), "the name of a promotion system, such as \"numpy\"")?,
            mode: option(value, intern!(value.py(), "mode"), "\"all\", \"safe\" or \"none\"")?,
            width: option(value, intern!(value.py(), "width"), "32 or 64")?,
            checked: option(value, intern!(value.py(), "checked"), "True or False")?,
        })
    }
}

impl Rules {
    /// A session under these rules.
    pub(crate) fn session(&self) -> PyResult<Session> {
        let mut session = Session::default();
        let settings = &mut session.settings;
        let name = self.system.as_deref().unwrap_or(SYSTEM);
        settings.system = systems::find(name).ok_or_else(|| {
            PyValueError::new_err(format!("there is no promotion system {name:?}; arrlang.systems() lists them"))
        })?;
        if self.system.is_some() {
            settings.fixed.add(&setting::SYSTEM);
        }
        if let Some(mode) = &self.mode {
            settings.mode = Mode::find(mode).ok_or_else(|| {
                PyValueError::new_err(format!("there is no mode {mode:?}: it is \"all\", \"safe\" or \"none\""))
            })?;
            settings.fixed.add(&setting::MODE);
        }
        if let Some(width) = self.width {
            if ![32, 64].contains(&width) {
                return Err(PyValueError::new_err("width is 32 or 64"));
            }
            settings.width = Some(width);
            settings.fixed.add(&setting::WIDTH);
        }
        settings.checked = self.checked;
        Ok(session)
    }
}
