#!/bin/bash
# What else is unrelated to the copies? unrelated.sh NAME fetches the packages of unrelated.txt, of which the targets
# have nothing, serves each once by nginx on a host of its own, and follows their links by wget: NAME.warc. After up.sh.
set -e -o pipefail
. "$(dirname "$0")/common.sh"
NAME=$1 PORT=8143
apt=$HOME_OF_REPLICAS/apt/bookworm
unpacked=$HOME_OF_REPLICAS/releases-more
mkdir -p "$unpacked" "$apt/debs"
options=(-q -o "Dir::State=$apt" -o "Dir::State::status=$apt/status" -o "Dir::Cache=$apt/cache"
  -o "Dir::Etc::sourcelist=$apt/sources.list" -o Dir::Etc::sourceparts=/dev/null -o APT::Sandbox::User=root)
while read -r name; do
  [ ! -d "$unpacked/$name" ] || continue
  (cd "$apt/debs" && apt-get "${options[@]}" download "$name" >/dev/null)
  dpkg-deb -x "$apt/debs/${name}"_*.deb "$unpacked/$name"
  rm "$apt/debs/${name}"_*.deb
done <"$SCRIPTS/unrelated.txt"

cd "$HOME_OF_REPLICAS"
: >"$NAME.seeds"
{
  echo "user www-data; pid $RUN/nginx-more.pid; worker_processes 1; events { worker_connections 512; }"
  echo 'http { include /etc/nginx/mime.types; access_log off; server_names_hash_bucket_size 128;'
  for use in client_body proxy fastcgi uwsgi scgi; do echo "${use}_temp_path $RUN/more-$use;"; done
  number=0
  while read -r name; do
    host=e$number.mirrors.test root=$HOME_OF_REPLICAS/www/e$((number++))
    mkdir -p "$root"
    ln -sfn "$unpacked/$name/usr/share/doc" "$root/doc"
    echo "server { listen 127.0.0.1:$PORT; server_name $host; root $root; index index.html index.htm; autoindex on; }"
    echo "http://$host:$PORT/doc/" >>"$NAME.seeds"
  done <"$SCRIPTS/unrelated.txt"
  echo '}'
} >nginx-more.conf
nginx -c "$HOME_OF_REPLICAS/nginx-more.conf" -e "$RUN/nginx-more-error.log"
rm -f "$NAME.warc"
http_proxy=http://127.0.0.1:$PORT wget -q -e robots=off -r -l inf -np -i "$NAME.seeds" --tries=1 \
  --reject-regex '\?[CNMSDO]=|\.(png|gif|jpe?g|svg|css|js|pdf|ico|txt|gz|c|h|py|ps|eps|zip|xml|json|woff2?|ttf|inv|i?ly|log)$' \
  --warc-file="$NAME" --no-warc-compression --no-warc-digests --delete-after -P "$RUN/wget-$NAME" || true
rm -rf "$RUN/wget-$NAME"
kill "$(cat "$RUN/nginx-more.pid")"
ls -l "$NAME".warc
