//! From text to tree: [`lexer`] → newline filter → generated parser → [`ast::Script`].
//!
//! Nothing here fails: whatever the text, there is a tree, and what is wrong with it is in the sink.

pub mod ast;
