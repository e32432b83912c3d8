//! Under which rules a text is checked: system, mode, width, faults.

use arrlang::check::setting;
use arrlang::promotion::systems;
use arrlang::promotion::verdict::Mode;
use arrlang::session::Session;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// What Python's users expect where nothing is said.
const SYSTEM: &str = "numpy";

/// What a caller chose; what he left open is the text's own, or the default.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default, FromPyObject)]
pub(crate) struct Rules {
    #[pyo3(item)]
    system: Option<String>,
    #[pyo3(item)]
    mode: Option<String>,
    #[pyo3(item)]
    width: Option<u32>,
    #[pyo3(item)]
    checked: bool,
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
