#!/bin/bash
# Which collections are crawled? up.sh fetches, lays out and serves them by nginx and Apache on 127.0.0.1; as root, on
# Debian with nginx-light, apache2-bin, mandoc and wget.
set -e -o pipefail
. "$(dirname "$0")/common.sh"
"$SCRIPTS/debs.sh"
bash "$SCRIPTS/man.sh" "${UNRELATED:-15000}"
cp "$SCRIPTS/manuals.txt" "$HOME_OF_REPLICAS/"
node "$BUILT/trees.js" "$HOME_OF_REPLICAS" "${TARGETS:-25}"
"$SCRIPTS/down.sh"
nginx -c "$HOME_OF_REPLICAS/nginx.conf" -e "$RUN/nginx-error.log"
apache2 -f "$HOME_OF_REPLICAS/apache.conf" -k start

# Copies as wget makes them of the originals, with links for their new place.
export http_proxy=http://127.0.0.1:8141
node -p "JSON.parse(fs.readFileSync('$HOME_OF_REPLICAS/copies.json')).filter((one) => one.kind === 'original').map(
  (one) => one.target + ' ' + one.prefix).join('\n')" |
  while read -r target url; do
    into=$HOME_OF_REPLICAS/made/converted/$target
    [ ! -e "$into" ] || continue
    rm -rf "$into.partial"
    wget -q -e robots=off -m -k -np -nH --cut-dirs=2 -P "$into.partial" "$url" || true
    mv "$into.partial" "$into"
  done
