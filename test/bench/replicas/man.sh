#!/bin/bash
# What is unrelated to the copies? man.sh PAGES renders as many of Debian's manual pages, for ten hosts; not those that
# only refer to another one, which are short.
set -e -o pipefail
. "$(dirname "$0")/common.sh"
PAGES=${1:-15000}
INTO=$HOME_OF_REPLICAS/made/man
[ ! -e "$INTO/done" ] || exit 0
render() { # number file …
  local language into
  while [ $# -gt 0 ]; do
    language=en
    [[ $2 =~ /man/([^/]+)/man[0-9] ]] && language=${BASH_REMATCH[1]}
    into=$INTO/m$(($1 % 10))/$language
    [ -d "$into" ] || mkdir -p "$into"
    mandoc -K utf-8 -T html -O man=%N.%S.html "$2" >"$into/$(basename "$2" .gz).html" 2>/dev/null || true
    shift 2
  done
}
export -f render
export INTO
cd "$HOME_OF_REPLICAS/releases/bookworm"
find $(cat "$SCRIPTS/manuals.txt") -path '*/man/*' -name '*.gz' -type f -size +300c |
  sort | shuf --random-source=<(yes) | head -n "$PAGES" | cat -n | xargs -P 2 -L 200 bash -c 'render "$@"' _
touch "$INTO/done"
