#!/bin/bash
# What is in the logs? crawl.sh [wiki] [blog] empties the log of a running site, crawls it with wget as search engines do, lets
# visitors browse (visitors.ts), and keeps the server's own log as it is in logs/; then asks for each URL of it twice more, for what
# its page is (truth/) and for an archive (warc/). Every crawl ends by depth, bytes and time; all takes half an hour for a site.
set -o pipefail
. "$(dirname "$0")/common.sh"
STATIC='*.png,*.gif,*.jpg,*.jpeg,*.svg,*.ico,*.css,*.js,*.woff,*.woff2,*.ttf'

crawl() { # name seconds quota host rejected-regex url...: in the background
  local name=$1 seconds=$2 quota=$3 host=$4 rejected=$5 dir=$SITE/crawl/$1
  shift 5
  rm -rf "$dir"
  mkdir -p "$dir"
  (
    cd "$dir"
    timeout "$seconds" wget --recursive --level 12 --execute robots=off --domains "$host" --no-verbose --output-file ../"$name.log" \
      --delete-after --tries 1 --timeout 30 --max-redirect 6 --quota "$quota" --reject "$STATIC" --reject-regex "$rejected" \
      --user-agent 'Mozilla/5.0 (compatible; crawler/1.0)' "$@"
    rm -rf "$dir"
  ) &
}

for site in ${*:-wiki blog}; do
  SITE=$HOME_OF_SITES/$site
  : >"$SITE/log/access.log"
  echo "== $site: wget"
  . "$SCRIPTS/$site.crawl.sh"
  wait
  echo "== $site: visitors"
  for round in 1 2 3; do node "$BUILT/visitors.js" "$site" "$SITE/log/access.log" $round; done
  gzip -9 <"$SITE/log/access.log" >"$HOME_OF_SITES/logs/$site.log.gz"
  echo "$site: $(wc -l <"$SITE/log/access.log") lines"
  node "$BUILT/truth.js" "$site"
  case $site in blog) BASE=http://blog.localhost:8112 ;; *) BASE= ;; esac
  echo "$site: $(node "$BUILT/pages.js" "$HOME_OF_SITES/logs/$site.log.gz" "$HOME_OF_SITES/warc/$site.warc.gz" "$BASE")"
done
