# Pages by their short addresses; then what the script shows of them; then a look in through the other host. Sourced by crawl.sh.
NEVER='action=(edit|submit|raw|delete|purge)|veaction|returnto|Special:?(%3A)?(UserLogin|CreateAccount|Search|Export|Book|UrlShortener|PasswordReset)|(load|api|rest|opensearch_desc)\.php'
crawl pages 120 60m mw.localhost "$NEVER|index\.php" http://mw.localhost:8111/
crawl script 240 130m mw.localhost "$NEVER|action=history|diff=|Special:?(%3A)?(RecentChanges|Contrib|Log|AllPages)|limit=|days=" \
  http://mw.localhost:8111/w/index.php 'http://mw.localhost:8111/w/index.php?title=Category:System_calls'
wait
crawl history 120 40m mw.localhost "$NEVER|/wiki/[A-Z]|days=" 'http://mw.localhost:8111/w/index.php?title=Special:RecentChanges&limit=500&days=9000'
crawl www 30 8m www.mw.localhost "$NEVER|index\.php" http://www.mw.localhost:8111/wiki/Category:File_formats
