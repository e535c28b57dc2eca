#!/bin/bash
# Which sites are measured? up.sh [wiki] [blog] installs, fills and starts them on 127.0.0.1; what is there already stays.
#
#   wiki  MediaWiki on SQLite behind Apache, port 8111: mw.localhost, www.mw.localhost
#   blog  WordPress on MariaDB behind nginx, port 8112: blog.localhost, www.blog.localhost
set -e -o pipefail
. "$(dirname "$0")/common.sh"

if ! dpkg -s $(cat "$SCRIPTS/packages.txt") >/dev/null 2>&1; then
  # What the packages would start by themselves must not start.
  POLICY=/usr/sbin/policy-rc.d OURS=
  if [ ! -e $POLICY ]; then
    printf '#!/bin/sh\nexit 101\n' >$POLICY
    chmod 755 $POLICY
    OURS=yes
  fi
  apt-get update -q
  DEBIAN_FRONTEND=noninteractive RUNLEVEL=1 apt-get install -y -q --no-install-recommends $(cat "$SCRIPTS/packages.txt")
  [ -z "$OURS" ] || rm -f $POLICY
fi

MARK='dustbuster measuring sites'
if ! grep -q "# $MARK begin" /etc/hosts; then
  {
    echo "# $MARK begin"
    for host in mw www.mw blog www.blog; do echo "127.0.0.1 $host.localhost"; done
    echo "# $MARK end"
  } >>/etc/hosts
fi

for site in ${*:-wiki blog}; do
  echo "== $site"
  (. "$SCRIPTS/$site.sh")
done
