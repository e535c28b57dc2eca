# The wiki: MediaWiki as its manual says to set it up (short addresses, /wiki/ for pages and /w/ for the script), filled with the
# manual pages of Debian as wiki text: articles, redirects, old revisions, categories, talk. Sourced by up.sh.
SITE=$HOME_OF_SITES/wiki
if [ ! -e "$SITE/ready" ]; then
  rm -rf "$SITE"
  mkdir -p "$SITE/htdocs" "$SITE/db" "$SITE/log" "$SITE/tmp"
  cp -r /usr/share/mediawiki "$SITE/htdocs/w"
  # links to what Debian keeps for its own instance
  rm -rf "$SITE/htdocs/w/LocalSettings.php" "$SITE/htdocs/w/config" "$SITE/htdocs/w/mw-config" "$SITE/htdocs/w/images"
  mkdir -p "$SITE/htdocs/w/images" "$SITE/htdocs/w/cache"
  cd "$SITE/htdocs/w"
  php maintenance/install.php --quiet --dbtype sqlite --dbpath "$SITE/db" --dbname wiki --server http://mw.localhost:8111 \
    --scriptpath /w --lang en --pass "$(head -c 12 /dev/urandom | base64)" --skins Vector,Timeless,MonoBook 'Manual pages' Keeper
  cat >>LocalSettings.php <<'P'
$wgArticlePath = '/wiki/$1';
$wgMainCacheType = CACHE_ACCEL;
$wgParserCacheType = CACHE_ACCEL;
$wgSessionCacheType = CACHE_DB;
$wgJobRunRate = 0;
$wgEnableUploads = false;
$wgGroupPermissions['*']['edit'] = false;
$wgGroupPermissions['*']['createaccount'] = false;
$wgCapitalLinks = true;
$wgRCMaxAge = 20 * 365 * 86400;
$wgShowExceptionDetails = false;
P
  node "$BUILT/wiki-content.js" >"$SITE/pages.xml"
  php maintenance/importDump.php --quiet --no-updates "$SITE/pages.xml" >"$SITE/log/import.log" 2>&1
  php maintenance/rebuildall.php >"$SITE/log/rebuild.log" 2>&1
  timeout 600 php maintenance/runJobs.php --quiet --maxjobs 20000 >"$SITE/log/jobs.log" 2>&1 || true
  php maintenance/initSiteStats.php --update >>"$SITE/log/rebuild.log" 2>&1
  chown -R www-data "$SITE/db" "$SITE/htdocs/w/cache" "$SITE/htdocs/w/images"
  touch "$SITE/ready"
  cd /
fi
start_php wiki
module() {
  for name; do
    echo "Include /etc/apache2/mods-available/$name.load"
    [ ! -e "/etc/apache2/mods-available/$name.conf" ] || echo "Include /etc/apache2/mods-available/$name.conf"
  done
}
{
  cat <<A
ServerRoot /etc/apache2
ServerName mw.localhost:8111
DefaultRuntimeDir $RUN
PidFile $RUN/wiki-apache.pid
ErrorLog $SITE/log/error.log
User www-data
Group www-data
A
  module mpm_event authz_core dir mime alias rewrite deflate filter headers setenvif env proxy proxy_fcgi reqtimeout
  cat <<A
Listen 127.0.0.1:8111
UseCanonicalName Off
# Debian's vhost_combined, with the host that was asked for
LogFormat "%V:%p %h %l %u %t \"%r\" %>s %O \"%{Referer}i\" \"%{User-Agent}i\"" vhost_combined
CustomLog $SITE/log/access.log vhost_combined
<Directory />
  AllowOverride None
  Require all denied
</Directory>
<VirtualHost 127.0.0.1:8111>
  ServerName mw.localhost:8111
  ServerAlias www.mw.localhost
  DocumentRoot $SITE/htdocs
  DirectoryIndex index.php
  AcceptPathInfo On
  <Directory $SITE/htdocs>
    Options FollowSymLinks
    Require all granted
  </Directory>
  <LocationMatch "^/w/(cache|includes|languages|maintenance|vendor)/">
    Require all denied
  </LocationMatch>
  <FilesMatch "\.php\$">
    SetHandler "proxy:unix:$RUN/wiki-php.sock|fcgi://wiki/"
  </FilesMatch>
  RewriteEngine On
  RewriteRule ^/?wiki(/.*)?\$ %{DOCUMENT_ROOT}/w/index.php [L]
  RewriteRule ^/*\$ %{DOCUMENT_ROOT}/w/index.php [L]
</VirtualHost>
A
} >"$SITE/apache.conf"
runs "$RUN/wiki-apache.pid" || { rm -f "$RUN/wiki-apache.pid"; /usr/sbin/apache2 -f "$SITE/apache.conf" -k start; }
await_port 8111
