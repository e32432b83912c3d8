//! Codes of one family.

use super::rows;

rows! {}
