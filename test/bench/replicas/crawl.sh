#!/bin/bash
# What does a crawler find? crawl.sh NAME [HOSTS] follows all links within the hosts, a regular expression, from the
# indexes of all of them, by wget: NAME.warc.
set -e -o pipefail
. "$(dirname "$0")/common.sh"
NAME=$1 HOSTS=${2:-.}
cd "$HOME_OF_REPLICAS"
rm -f "$NAME".warc
grep -E "^$HOSTS" hosts.txt | sed 's|.*|http://&/|' >"$NAME.seeds"
domains=$(sed -E 's|http://([^:]*).*|\1|' "$NAME.seeds" | paste -sd,)
http_proxy=http://127.0.0.1:8141 wget -q -e robots=off -r -l inf -H -D "$domains" -i "$NAME.seeds" --tries=1 \
  --reject-regex '\?[CNMSDO]=|\.(png|gif|jpe?g|svg|css|js|pdf|ico|txt|gz|c|h|py|ps|eps|zip|xml|json|woff2?|ttf|inv)$' \
  --warc-file="$NAME" --no-warc-compression --no-warc-digests --delete-after -P "$RUN/wget-$NAME" || true
rm -rf "$RUN/wget-$NAME"
ls -l "$NAME".warc
