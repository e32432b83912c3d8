//! `arr completions`: a script that lets a shell complete `arr` commands.

use super::args::{Arguments, Completions, Shell};
use super::output;
use crate::diagnostic::Outcome;
use clap::CommandFactory;
use clap_complete::{generate, shells};

/// What bash does where a word is a file and a colon: it completes the names of the arrays in the file. They are the file's
/// words, and nothing expands them.
const BASH_COLUMNS: &str = r#"
_arr_columns() {
    local line="${COMP_LINE:0:COMP_POINT}" word file member name before=""
    word="${line##*[[:space:]]}"
    file="${word%:*}"
    file="${file#*=}"
    member="${word##*:}"
    if [[ "$word" != *:* || ! -f "$file" ]]; then
        _arr "$@"
        return
    fi
    # Where a colon ends a word, only what is behind it is completed.
    [[ "$COMP_WORDBREAKS" == *:* ]] || before="${word%"$member"}"
    COMPREPLY=()
    while IFS= read -r name; do
        [[ "$name" == "$member"* ]] && COMPREPLY+=("$before$(printf %q "$name")")
    done < <("$1" head --names -- "$file" 2>/dev/null)
}
complete -F _arr_columns -o nosort -o bashdefault -o default arr
"#;

/// Prints the script.
pub(super) fn print(command: &Completions) -> Outcome {
    let (mut text, mut arguments) = (Vec::new(), Arguments::command());
    match command.shell {
        Shell::Bash => {
            generate(shells::Bash, &mut arguments, "arr", &mut text);
            text.extend_from_slice(BASH_COLUMNS.as_bytes());
        }
        Shell::Zsh => generate(shells::Zsh, &mut arguments, "arr", &mut text),
        Shell::Fish => generate(shells::Fish, &mut arguments, "arr", &mut text),
    }
    output::print(&String::from_utf8_lossy(&text))
}
