#!/bin/bash
# Which documentation does Debian have, in three of its releases? debs.sh fetches packages.txt and the manual pages by
# apt, into folders of its own, and unpacks them: releases/bookworm/python3.11-doc/usr/share/doc/…
set -e -o pipefail
. "$(dirname "$0")/common.sh"

for release in bullseye bookworm trixie; do
  apt=$HOME_OF_REPLICAS/apt/$release
  unpacked=$HOME_OF_REPLICAS/releases/$release
  [ ! -e "$unpacked/done" ] || continue
  mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial" "$apt/debs" "$unpacked"
  keys=/usr/share/keyrings/debian-archive-keyring.gpg
  echo "deb [signed-by=$keys] http://deb.debian.org/debian $release main" >"$apt/sources.list"
  : >"$apt/status"
  options=(-q -o "Dir::State=$apt" -o "Dir::State::status=$apt/status" -o "Dir::Cache=$apt/cache"
    -o "Dir::Etc::sourcelist=$apt/sources.list" -o Dir::Etc::sourceparts=/dev/null -o APT::Sandbox::User=root)
  [ -s "$apt/names" ] || {
    apt-get "${options[@]}" update
    apt-cache "${options[@]}" dumpavail | sed -n 's/^Package: //p' | sort -u >"$apt/names"
  }
  names=()
  while read -r pattern; do
    name=$(grep -Ex "$pattern" "$apt/names" | sort -V | tail -1 || true)
    if [ -n "$name" ] && [ ! -d "$unpacked/$name" ]; then names+=("$name"); fi
  done < <(grep -v '^#' "$SCRIPTS/packages.txt"; [ $release != bookworm ] || cat "$SCRIPTS/manuals.txt")
  (cd "$apt/debs" && apt-get "${options[@]}" download "${names[@]}" >/dev/null)
  for deb in "$apt"/debs/*.deb; do
    name=$(basename "${deb%%_*}")
    dpkg-deb -x "$deb" "$unpacked/$name"
    rm "$deb"
  done
  touch "$unpacked/done"
done
