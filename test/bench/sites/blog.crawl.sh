# Everything that pages link to but what programs read; then the feeds and some of the interface for programs. Sourced by crawl.sh.
NEVER='wp-(admin|login|cron|comments-post)|xmlrpc|wlwmanifest'
crawl pages 300 150m blog.localhost "$NEVER|wp-json|/tag/.*/feed|/page/[0-9]+/feed" http://blog.localhost:8112/ http://blog.localhost:8112/days/
crawl programs 25 3m blog.localhost "$NEVER|replytocom|/tag/" http://blog.localhost:8112/2019/06/
