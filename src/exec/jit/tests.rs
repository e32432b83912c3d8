//! Of the code itself.
