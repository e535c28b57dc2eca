// Which bots are known by name? A list that is kept by hand: it was written from what the operators of the bots publish
// about them, which stands above each part. A bot is found by its product token, a word of its user agent:
//
//   Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)        Googlebot
//   Googlebot-Image/1.0                                                             Googlebot: a token covers longer ones
//   Mozilla/5.0 (compatible; AhrefsBot/7.0; +http://ahrefs.com/robot/)              AhrefsBot
//
// A token with blanks is looked for as it is. The first row that matches a word decides, the words from left to right.

/** What a bot is for. */
export type BotGroup = 'search' | 'ai-search' | 'ai-training' | 'seo' | 'monitoring' | 'feed' | 'other-bot';

/** By product token, which is also the bot's name in reports. */
type Names = Readonly<Record<string, BotGroup>>;

function of(group: BotGroup, text: string): Names {
  return Object.fromEntries(text.split(',').map((name) => [name.trim(), group]));
}

export const LISTED: Names = {
  // developers.google.com/search/docs/crawling-indexing/overview-google-crawlers
  ...of('search', 'Googlebot, Storebot-Google, Google-InspectionTool'),
  ...of('other-bot', 'GoogleOther, AdsBot-Google, Mediapartners-Google, APIs-Google, Google-Safety, GoogleProducer'),
  ...of('other-bot', 'Google-Site-Verification, Google-Read-Aloud'),
  ...of('ai-search', 'Google-CloudVertexBot, Google-NotebookLM'),
  ...of('feed', 'Feedfetcher-Google'),
  // www.bing.com/webmasters/help/which-crawlers-does-bing-use-8c184ec0
  ...of('search', 'Bingbot, msnbot'),
  ...of('other-bot', 'AdIdxBot, BingPreview, MicrosoftPreview'),
  // yandex.com/support/webmaster/robot-workings/check-yandex-robots.html
  ...of('ai-training', 'YandexAdditionalBot, YandexAdditional'),
  ...of('search', 'YandexBot, YandexImages, YandexMobileBot, YandexVideo, YandexMedia, YandexNews, YandexBlogs'),
  ...of(
    'search',
    'YandexRenderResourcesBot, YandexFavicons, YandexAccessibilityBot, YandexWebmaster, YandexPagechecker',
  ),
  ...of('other-bot', 'YandexDirect, YandexMetrika'),
  // support.apple.com/119829, duckduckgo.com/duckduckbot, duckduckgo.com/duckassistbot
  ...of('search', 'Applebot, DuckDuckBot'),
  ...of('ai-search', 'DuckAssistBot'),
  // The pages that the agents of other search engines name: www.baidu.com/search/spider.html, aspiegel.com/petalbot,
  // napoveda.seznam.cz, www.mojeek.com/bot.html, help.qwant.com/bot, naver.me/spd, help.coccoc.com/searchengine,
  // help.yahoo.com/help/us/ysearch/slurp, www.sogou.com/docs/help/webmasters.htm, search.brave.com/help/brave-search-crawler
  ...of('search', 'Baiduspider, PetalBot, SeznamBot, MojeekBot, Qwantbot, Qwantify, Yeti, coccocbot, Slurp, Sogou'),
  ...of(
    'search',
    '360Spider, YisouSpider, Bravebot, Kagibot, Daum, Exabot, search.marginalia.nu, MetaGerBot, SeekportBot',
  ),
  // platform.openai.com/docs/bots
  ...of('ai-search', 'OAI-SearchBot, ChatGPT-User'),
  ...of('ai-training', 'GPTBot'),
  // support.anthropic.com: does Anthropic crawl data from the web
  ...of('ai-search', 'Claude-SearchBot, Claude-User'),
  ...of('ai-training', 'ClaudeBot, Claude-Web, anthropic-ai'),
  // docs.perplexity.ai/guides/bots, docs.mistral.ai/robots, about.you.com/youbot
  ...of('ai-search', 'PerplexityBot, Perplexity-User, MistralAI-User, YouBot, PhindBot, iAskBot, Andibot, LinerBot'),
  // developers.facebook.com/docs/sharing/webmasters/web-crawlers
  ...of('ai-training', 'meta-externalagent, FacebookBot'),
  ...of('ai-search', 'meta-externalfetcher, meta-webindexer'),
  ...of('other-bot', 'facebookexternalhit, facebookcatalog'),
  // developer.amazon.com/amazonbot
  ...of('ai-search', 'Amzn-SearchBot, Amzn-User'),
  ...of('ai-training', 'Amazonbot'),
  // commoncrawl.org/ccbot, allenai.org/crawler, docs.diffbot.com, webz.io/bot.html, imagesift.com/about, timpi.io/bot, and the
  // pages that the agents of others name
  ...of(
    'ai-training',
    'CCBot, Bytespider, TikTokSpider, AI2Bot, Diffbot, omgili, omgilibot, Webzio-Extended, ImagesiftBot',
  ),
  ...of('ai-training', 'Timpibot, cohere-ai, cohere-training-data-crawler, PanguBot, ChatGLM-Spider, DeepSeekBot'),
  ...of('ai-training', 'SBIntuitionsBot, VelenPublicWebCrawler, img2dataset, ICC-Crawler, Kangaroo Bot'),
  // ahrefs.com/robot, www.semrush.com/bot, mj12bot.com, opensiteexplorer.org/dotbot, moz.com/help/moz-procedures/crawlers/rogerbot
  ...of('seo', 'AhrefsBot, AhrefsSiteAudit, SemrushBot, SiteAuditBot, SplitSignalBot, MJ12bot, DotBot, rogerbot'),
  // The pages that the agents of other tools for search engine optimization name
  ...of('seo', 'BLEXBot, DataForSeoBot, serpstatbot, SEOkicks, Barkrowler, SeobilityBot, SISTRIX, Screaming Frog'),
  ...of(
    'seo',
    'Sitebulb, DeepCrawl, Lumar, OnCrawl, Botify, JetOctopus, AwarioBot, linkdexbot, MegaIndex.ru, LinkpadBot',
  ),
  ...of(
    'seo',
    'SearchmetricsBot, RyteBot, XoviBot, SEOlyticsCrawler, SenutoBot, ZoominfoBot, Cocolyzebot, Siteimprove',
  ),
  // Agents as the services' help pages say them: uptimerobot.com, documentation.solarwinds.com (Pingdom), www.statuscake.com,
  // www.site24x7.com, docs.datadoghq.com/synthetics, docs.newrelic.com, gtmetrix.com, hetrixtools.com, docs.aws.amazon.com
  ...of(
    'monitoring',
    'UptimeRobot, Pingdom, PingdomTMS, StatusCake, Site24x7, DatadogSynthetics, NewRelicPinger, GTmetrix',
  ),
  ...of(
    'monitoring',
    'HetrixTools, Freshping, Uptime-Kuma, Checkly, Zabbix, check_http, kube-probe, ELB-HealthChecker',
  ),
  ...of('monitoring', 'GoogleHC, Amazon-Route53-Health-Check-Service, Cloudflare-Healthchecks, updown.io, jetmon'),
  ...of('monitoring', 'Blackbox-Exporter, Chrome-Lighthouse, Better Uptime Bot, Better Stack'),
  // Agents as the feed readers publish them: feedly.com/fetcher.html, www.inoreader.com, newsblur.com, feedbin.com, freshrss.org,
  // miniflux.app, tt-rss.org, theoldreader.com
  ...of('feed', 'Feedly, FeedlyBot, Inoreader, NewsBlur, Feedbin, FreshRSS, Miniflux, Tiny Tiny RSS, theoldreader.com'),
  ...of(
    'feed',
    'Superfeedr, BazQux, Netvibes, CommaFeed, Newsboat, Liferea, Akregator, NetNewsWire, Feedspot, Blogtrottr',
  ),
  ...of('feed', 'NextCloud-News, UniversalFeedParser, SimplePie, MagpieRSS, Windows-RSS-Platform, rss2email'),
  // Previews of links and archives, as their operators name them; tools and libraries that say their own name
  ...of(
    'other-bot',
    'Twitterbot, LinkedInBot, Pinterestbot, Slackbot, Slack-ImgProxy, TelegramBot, Discordbot, WhatsApp',
  ),
  ...of('other-bot', 'SkypeUriPreview, redditbot, Embedly, Iframely, archive.org_bot, ia_archiver, heritrix, Nutch'),
  ...of('other-bot', 'CensysInspect, InternetMeasurement, zgrab, masscan, NetcraftSurveyAgent, W3C_Validator'),
  ...of('other-bot', 'curl, Wget, python-requests, Python-urllib, aiohttp, Scrapy, Go-http-client, libwww-perl'),
};
