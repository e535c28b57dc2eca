# The blog: WordPress with dated permalinks, paged comments and a theme of its own, filled with sections of Debian's books as posts.
# Sourced by up.sh.
SITE=$HOME_OF_SITES/blog
start_database() {
  # Its own folder, as the server runs as mysql and makes socket and pid file itself.
  mkdir -p "$SITE/mariadb"
  chown mysql "$SITE/mariadb"
  cat >"$SITE/mariadb.cnf" <<M
[mariadbd]
user = mysql
datadir = $SITE/mariadb/data
socket = $SITE/mariadb/sock
pid-file = $SITE/mariadb/pid
log-error = $SITE/mariadb/error.log
skip-networking
innodb_buffer_pool_size = 128M
innodb_flush_log_at_trx_commit = 2
M
  if [ ! -d "$SITE/mariadb/data" ]; then
    mariadb-install-db --defaults-file="$SITE/mariadb.cnf" --auth-root-authentication-method=socket >"$SITE/log/mariadb-install.log" 2>&1
  fi
  ln -sfn "$SITE/mariadb/pid" "$RUN/blog-mariadb.pid"
  runs "$RUN/blog-mariadb.pid" || { rm -f "$SITE/mariadb/sock"; setsid mariadbd --defaults-file="$SITE/mariadb.cnf" >/dev/null 2>&1 </dev/null & }
  await_socket "$SITE/mariadb/sock"
}
mkdir -p "$SITE/log" "$SITE/tmp"
start_database
if [ ! -e "$SITE/ready" ]; then
  rm -rf "$SITE/htdocs"
  cp -rL /usr/share/wordpress "$SITE/htdocs"
  cp -rL /var/lib/wordpress/wp-content/languages "$SITE/htdocs/wp-content/"
  mkdir -p "$SITE/htdocs/wp-content/uploads"
  PASSWORD=$(head -c 15 /dev/urandom | od -An -tx1 | tr -d ' \n')
  mariadb --socket="$SITE/mariadb/sock" -e "DROP DATABASE IF EXISTS blog; CREATE DATABASE blog CHARACTER SET utf8mb4;
    CREATE OR REPLACE USER blog@localhost IDENTIFIED BY '$PASSWORD'; GRANT ALL ON blog.* TO blog@localhost;"
  {
    echo '<?php'
    echo "define('DB_NAME', 'blog'); define('DB_USER', 'blog'); define('DB_PASSWORD', '$PASSWORD'); define('DB_HOST', 'localhost:$SITE/mariadb/sock');"
    echo "define('DB_CHARSET', 'utf8mb4'); define('DB_COLLATE', '');"
    for key in AUTH_KEY SECURE_AUTH_KEY LOGGED_IN_KEY NONCE_KEY AUTH_SALT SECURE_AUTH_SALT LOGGED_IN_SALT NONCE_SALT; do
      echo "define('$key', '$(head -c 24 /dev/urandom | od -An -tx1 | tr -d ' \n')');"
    done
    cat <<'P'
define('DISABLE_WP_CRON', true); define('WP_HTTP_BLOCK_EXTERNAL', true); define('DISALLOW_FILE_MODS', true); define('WP_AUTO_UPDATE_CORE', false);
$table_prefix = 'wp_';
if (!defined('ABSPATH')) define('ABSPATH', __DIR__ . '/');
require_once ABSPATH . 'wp-settings.php';
P
  } >"$SITE/htdocs/wp-config.php"
  node "$BUILT/blog-content.js" >"$SITE/posts.json"
  php -d memory_limit=512M -d error_reporting=E_ERROR "$SCRIPTS/blog-load.php" "$SITE/htdocs" "$SITE/posts.json" >"$SITE/log/load.log"
  chown -R www-data "$SITE/htdocs/wp-content/uploads"
  touch "$SITE/ready"
fi
start_php blog
cat >"$SITE/nginx.conf" <<N
user www-data;
worker_processes 1;
pid $RUN/blog-nginx.pid;
error_log $SITE/log/error.log error;
events { worker_connections 256; }
http {
  include /etc/nginx/mime.types;
  default_type application/octet-stream;
  client_body_temp_path $SITE/tmp/body;
  fastcgi_temp_path $SITE/tmp/fastcgi;
  proxy_temp_path $SITE/tmp/proxy;
  uwsgi_temp_path $SITE/tmp/uwsgi;
  scgi_temp_path $SITE/tmp/scgi;
  gzip on;
  gzip_types text/plain text/css application/javascript application/json application/rss+xml application/atom+xml text/xml;
  access_log $SITE/log/access.log combined;
  server {
    listen 127.0.0.1:8112;
    server_name www.blog.localhost;
    access_log $SITE/log/www.log combined;
    return 301 http://blog.localhost:8112\$request_uri;
  }
  server {
    listen 127.0.0.1:8112 default_server;
    server_name blog.localhost;
    root $SITE/htdocs;
    index index.php;
    port_in_redirect on;
    location / { try_files \$uri \$uri/ /index.php?\$args; }
    location ~ /\. { deny all; }
    location ~ ^/wp-(admin|content/uploads)/.*\.php { deny all; }
    location ~ \.php(/|\$) {
      fastcgi_split_path_info ^(.+?\.php)(/.*)\$;
      try_files \$fastcgi_script_name =404;
      include /etc/nginx/fastcgi_params;
      fastcgi_param SCRIPT_FILENAME \$document_root\$fastcgi_script_name;
      fastcgi_param PATH_INFO \$fastcgi_path_info;
      fastcgi_param HTTP_HOST \$http_host;
      fastcgi_pass unix:$RUN/blog-php.sock;
    }
  }
}
N
runs "$RUN/blog-nginx.pid" || { rm -f "$RUN/blog-nginx.pid"; nginx -c "$SITE/nginx.conf"; }
await_port 8112
