//! `arr completions`: a script that lets a shell complete `arr` commands.

use super::args::{Arguments, Completions, ShellName};
use super::output;
use crate::diagnostic::Outcome;
use clap::CommandFactory;
use clap_complete::{generate, shells};

/// What bash does where a word is a file and a colon: it completes the names of the arrays in the file. They are the
/// file's words, and nothing expands them.
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

/// What zsh does there. The last lines of what clap makes are replaced: they would call its function alone.
const ZSH_COLUMNS: &str = r#"
_arr_columns() {
    local file="${(Q)PREFIX%:*}"
    file="${file#*=}"
    if [[ "$PREFIX" != *:* || ! -f "$file" ]]; then
        _arr_arguments "$@"
        return
    fi
    local -a names
    names=("${(@f)$("${(Q)words[1]}" head --names -- "$file" 2>/dev/null)}")
    compset -P '*:'
    compadd -V columns -- "${(@)names:#}"
}

if [ "$funcstack[1]" = "_arr" ]; then
    _arr_columns "$@"
else
    compdef _arr_columns arr
fi
"#;

/// What fish does there.
const FISH_COLUMNS: &str = r#"
function __fish_arr_file
    set -l word (string unescape -- (commandline -ct))
    string match -q -- '*:*' "$word"; or return
    set -l file (string replace -r ':[^:]*$' '' -- "$word" | string replace -r '^[^=]*=' '')
    test -f "$file"; and printf '%s\n' $file
end
function __fish_arr_columns
    set -l before (string replace -r '[^:]*$' '' -- (string unescape -- (commandline -ct)))
    set -l words (commandline -opc)
    for name in ($words[1] head --names -- (__fish_arr_file) 2>/dev/null)
        printf '%s%s\n' $before $name
    end
end
complete -c arr -k -n '__fish_arr_file >/dev/null' -f -a '(__fish_arr_columns)'
"#;

/// Prints the script.
pub(super) fn print(command: &Completions) -> Outcome {
    let (mut text, mut arguments) = (Vec::new(), Arguments::command());
    match command.shell {
        ShellName::Bash => {
            generate(shells::Bash, &mut arguments, "arr", &mut text);
            text.extend_from_slice(BASH_COLUMNS.as_bytes());
        }
        ShellName::Zsh => {
            generate(shells::Zsh, &mut arguments, "arr", &mut text);
            text = zsh(&String::from_utf8_lossy(&text)).into_bytes();
        }
        ShellName::Fish => {
            generate(shells::Fish, &mut arguments, "arr", &mut text);
            text.extend_from_slice(FISH_COLUMNS.as_bytes());
        }
    }
    output::print(&String::from_utf8_lossy(&text))
}

/// The script for zsh: the function that clap made has another name, and ours calls it.
fn zsh(made: &str) -> String {
    let body = made.rsplit_once("\nif [ \"$funcstack[1]\"").map_or(made, |(body, _)| body);
    body.replacen("\n_arr() {", "\n_arr_arguments() {", 1) + ZSH_COLUMNS
}
