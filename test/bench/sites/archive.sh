#!/bin/bash
# What is --pages given? archive.sh FOLDER [git] [doku] asks those sites, whose logs FOLDER has, once for each URL, and writes
# warc/SITE.warc.gz beside those that crawl.sh made of the sites here.
set -e -o pipefail
. "$(dirname "$0")/common.sh"
OTHERS=${1:?expected the folder that has the logs of git and doku}
shift
for site in ${*:-git doku}; do
  case $site in git) BASE= ;; doku) BASE=http://doku.localhost:8105 ;; *) echo "got $site, expected git or doku" >&2; exit 2 ;; esac
  echo "$site: $(node "$BUILT/pages.js" "$OTHERS/logs/$site.log.gz" "$HOME_OF_SITES/warc/$site.warc.gz" "$BASE")"
done
