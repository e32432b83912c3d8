#!/bin/sh
# Types each tests/repl/*.keys in a terminal of tmux, and writes what is then on the screen, with its colours, beside it.
# Then `ARR_UPDATE=1 cargo test --release --test it pictures` draws the pictures of docs/pictures.
#
# A line of a .keys file is an input, which Enter ends; or one of
#   @size COLUMNS ROWS    the window, first line
#   @type TEXT            keys without Enter
#   @key NAME             Enter, Tab, Up, Right, C-c, C-r
#   @wait TEXT            until TEXT is in the line of the cursor
set -eu
cd "$(dirname "$0")/../.."
arr=${ARR:-$PWD/target/release/arr}
home=$(mktemp -d)
trap 'tmux -L arr-record kill-server 2>/dev/null || true; rm -rf "$home"' EXIT

screen() { tmux -L arr-record capture-pane -p "$@"; }
# The line of the cursor.
line() { screen | sed -n "$(($(tmux -L arr-record display-message -p '#{cursor_y}') + 1))p" | sed 's/ *$//'; }
# Waits until the line of the cursor is as the pattern of `case` says.
until_line() {
  tries=0
  until case "$(line)" in $1) true ;; *) false ;; esac; do
    tries=$((tries + 1))
    [ $tries -lt 600 ] || { echo "no line like $1:" >&2; screen >&2; exit 1; }
    sleep 0.05
  done
}

for keys in ${*:-tests/repl/*.keys}; do
  read -r _ columns rows < "$keys"
  rm -rf "$home"/*
  tmux -f /dev/null -L arr-record new-session -d -x "$columns" -y "$rows" \
    "cd examples && exec env -u NO_COLOR -u COLUMNS -u LINES HOME=$home XDG_STATE_HOME=$home/state XDG_CONFIG_HOME=$home/config '$arr'"
  until_line 'arr:1>'
  tail -n +2 "$keys" | while IFS= read -r text; do
    case "$text" in
      '@type '*) tmux -L arr-record send-keys -l "${text#@type }" ;;
      '@key '*) tmux -L arr-record send-keys "${text#@key }" ;;
      '@wait '*) until_line "*${text#@wait }*" ;;
      *)
        # tmux takes a last `;` for its own.
        case "$text" in *\;) text="${text%;}\\;" ;; esac
        tmux -L arr-record send-keys -l "$text"
        tmux -L arr-record send-keys Enter
        # The prompt may be the one that was there: let the input begin first.
        sleep 0.2
        until_line 'arr:*>'
        ;;
    esac
  done
  sleep 0.2
  screen -e | sed -e :a -e '/^\n*$/{$d;N;ba' -e '}' > "${keys%.keys}.screen"
  tmux -L arr-record kill-server
  sleep 0.3
done
