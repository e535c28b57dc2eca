# Everything that pages link to but what programs read, first without the links that answer a comment, of which there are more than of
# all others; then feeds and some of the interface for programs. Sourced by crawl.sh.
NEVER='wp-(admin|login|cron|comments-post)|xmlrpc|wlwmanifest'
crawl archives 200 80m blog.localhost "$NEVER|wp-json|replytocom|/feed" http://blog.localhost:8112/
wait
crawl pages 240 90m blog.localhost "$NEVER|wp-json|/(tag|category|author|page)/|/[0-9]{4}/[0-9]{2}/$" http://blog.localhost:8112/ http://blog.localhost:8112/days/
crawl programs 25 3m blog.localhost "$NEVER|replytocom|/tag/" http://blog.localhost:8112/2019/06/
crawl feeds 110 30m blog.localhost "$NEVER|replytocom|\?p=|/20[12][0-9]/" http://blog.localhost:8112/tag/apt/ http://blog.localhost:8112/category/network/
