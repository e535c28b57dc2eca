# What do the scripts here share? Where things lie, and how a process is started, waited for and stopped. Sourced.
#
#   $HOME_OF_SITES/wiki, /blog    what a site has: files, database, configuration, logs
#   $HOME_OF_SITES/run            pid files and sockets
#   $HOME_OF_SITES/logs, /truth, /warc    what is measured with
SCRIPTS=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
BUILT=$(cd "$SCRIPTS/../../.." && pwd)/dist/test/bench/sites
HOME_OF_SITES=${SITES_HOME:-${TMPDIR:-/tmp}/dustbuster-measuring-sites}
RUN=$HOME_OF_SITES/run
export LC_ALL=C.UTF-8 TZ=UTC
mkdir -p "$RUN" "$HOME_OF_SITES/logs" "$HOME_OF_SITES/truth" "$HOME_OF_SITES/warc"

runs() { # pid-file: does the process that we started still run?
  [ -s "$1" ] && kill -0 "$(head -1 "$1")" 2>/dev/null
}

await_port() { # port: waits ten seconds at most
  for _ in $(seq 100); do
    (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null && return 0
    sleep 0.1
  done
  echo "nothing listens on port $1" >&2
  return 1
}

await_socket() { # path: waits twenty seconds at most
  for _ in $(seq 200); do
    [ -S "$1" ] && return 0
    sleep 0.1
  done
  echo "no socket $1" >&2
  return 1
}

stop() { # name signal: ends the process of run/name.pid, if it is one that up.sh started
  local file=$RUN/$1.pid pid
  [ -s "$file" ] || return 0
  pid=$(head -1 "$file")
  if kill -0 "$pid" 2>/dev/null; then
    # nginx and php-fpm give themselves a title with the path of their configuration, the others have it as an argument
    if ! tr '\0' ' ' <"/proc/$pid/cmdline" | grep -qF -e "$HOME_OF_SITES"; then
      echo "process $pid of $1 is not ours: left alone" >&2
      return 0
    fi
    kill "-$2" "$pid"
    for _ in $(seq 200); do kill -0 "$pid" 2>/dev/null || break; sleep 0.1; done
  fi
  rm -f "$file"
  echo "stopped $1"
}

start_php() { # site: a php-fpm of its own for a site
  local dir=$HOME_OF_SITES/$1
  mkdir -p "$dir/tmp" "$dir/log"
  chown www-data "$dir/tmp"
  cat >"$dir/php-fpm.conf" <<F
[global]
pid = $RUN/$1-php.pid
error_log = $dir/log/php-fpm.log
[$1]
user = www-data
group = www-data
listen = $RUN/$1-php.sock
listen.owner = www-data
pm = static
pm.max_children = 4
pm.max_requests = 20000
php_admin_value[memory_limit] = 256M
php_admin_value[session.save_path] = $dir/tmp
php_admin_value[upload_tmp_dir] = $dir/tmp
F
  if ! runs "$RUN/$1-php.pid"; then
    rm -f "$RUN/$1-php.sock"
    php-fpm8.2 --daemonize --fpm-config "$dir/php-fpm.conf" -d opcache.enable=1 -d apc.shm_size=256M -d "error_log=$dir/log/php.log"
  fi
  await_socket "$RUN/$1-php.sock"
}
