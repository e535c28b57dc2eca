// Under which names do logs have their columns? Earlier names in a list win over later ones. Case, `_`, `-` and blanks
// do not matter; a dot leads to the member of an object. A format with its own names has its own list (./json-servers).
//
//   proxy.…         Vercel's log drains           httpRequest.…   Google Cloud
//   properties.…    Azure's gateways and apps     req.…, res.…    pino and others for Node
//   url.…, http.…   ECS and OpenTelemetry         resp_…          Fastly
//
// A CSV of Screaming Frog has an `Address`, and a `Status` in words beside its `Status Code`; Sitebulb's has an `HTTP
// Status Code`, and that of Google's Search Console `Top pages`.
//
// Names of the URL are in three lists, as a log may have several: `target` are those that servers give to what the
// client sent, with its query; `request` is the whole line of the request; `url` are all others, some of which name a
// full URL and some a path without its query, which a server may have rewritten (./target).

const NAMES = {
  url: [
    'proxy.path httpRequest.requestUrl properties.requestUri properties.csUriStem url url.full http.url request_url',
    'full_url uri page_url location_url path href link loc page address cs_uri_stem url.path http.path req.path',
    'request_path request.path uri_path url_path top_pages target_page landing_page',
  ],
  target: [
    'request_uri request.uri http.target req.originalUrl req.uri req.url request.url url.original original_url',
    'request_target original_uri raw_uri raw_url raw_path full_path path_and_query path_with_query request.target',
    'http.request.uri http.request.target target',
  ],
  request: ['request request_line http_request requestline http.request_line first_line'],
  query: [
    'properties.requestQuery properties.csUriQuery args query_string request_args request.args request.query_string',
    'cs_uri_query query request_query url_query uri_query qs url.query http.query params request_params url_params',
    'query_params request.query request.querystring req.query_string req.querystring req.query url_args uri_args',
    'raw_query search',
  ],
  host: [
    'proxy.host properties.originalHost properties.host properties.csHost http_host domain_http_host vhost',
    'virtual_host request_host req.headers.host request.headers.host headers.host http.host url.domain req.host host',
    'server_name request.host domain server.address server authority x_host_header cs(host) cs_host',
  ],
  scheme: [
    'proxy.scheme scheme request_scheme request.scheme url_scheme cs_protocol url.scheme http.scheme req.scheme',
    'x_forwarded_proto http_x_forwarded_proto req.protocol',
  ],
  method: [
    'proxy.method httpRequest.requestMethod properties.httpMethod properties.csMethod method request_method',
    'http_method request.method req.method http.method http.request.method verb cs_method request_verb',
  ],
  status: [
    'proxy.statusCode httpRequest.status properties.httpStatusCode properties.httpStatus properties.scStatus',
    'status_code status http_status response_status downstream_status response.status sc_status response_code',
    'res.statusCode res.status response.status_code http.response.status_code http.status_code resp_status',
    'http_status_code fetch_status elb_status_code code',
  ],
  size: [
    'proxy.responseByteSize httpRequest.responseSize properties.responseBytes properties.sentBytes properties.scBytes',
    'size size(bytes) bytes body_bytes_sent resp_body_size response_body_size response_body_bytes body_size body_bytes',
    'bytes_sent downstream_content_size response_size response.size content_length length sc_bytes sent_bytes',
    'http.response.body.bytes http.response.body.size http.response_content_length res.headers.content_length',
    'res.contentLength response.bytes resp_bytes response_bytes response_length bytes_out out_bytes',
  ],
  sketch: [
    'sketch digest payload_digest content_digest page_digest body_digest text_digest sha1 sha256 md5 content_sha1',
    'content_sha256 content_md5 content_hash body_sha1 body_sha256 body_md5 page_hash page_sha1 checksum hash',
  ],
  time: ['time timestamp time_local time_iso8601 date datetime ts @timestamp start_time fetch_time crawl_timestamp'],
  agent: [
    'proxy.userAgent httpRequest.userAgent properties.userAgent user_agent http_user_agent agent useragent',
    'request.user_agent request.headers.user_agent cs(user_agent) cs_user_agent req.headers.user_agent',
    'headers.user_agent user_agent.original http.user_agent request_user_agent client_user_agent browser_agent',
  ],
  duration: ['httpRequest.latency request_time'],
  client: [
    'proxy.clientIp httpRequest.remoteIp properties.clientIP properties.clientIp properties.CIp remote_addr remote_ip',
    'client_ip client_addr client_address client request.remote_ip request.remote_addr request.client_ip source.ip',
    'client.address http.client_ip remote_host ip c_ip client.ip req.remoteAddress req.ip source.address',
  ],
  referrer: [
    'proxy.referer httpRequest.referer properties.referrer referer referrer http_referer http_referrer cs(referer)',
    'request.headers.referer req.headers.referer headers.referer http.request.referrer request.referer',
  ],
  // What the site itself calls the page: where the URL redirects to, and the canonical link of its page. Screaming
  // Frog, Sitebulb, Common Crawl's index, and lists of `sketch`.
  redirect: ['redirect redirect_url redirect_target redirects_to redirect_to fetch_redirect redirect_location'],
  canonical: ['canonical canonical_url canonical_link canonical_link_element_1 canonical_link_element'],
  // The languages of the page, not those of its visitor: `language` and `lang` mean either, so they must be named.
  language: ['content_languages content_language page_language detected_language html_lang hreflang'],
  // The text of a line in another format (./wrapped).
  line: ['log event.original log.original message line msg textPayload body raw full_message short_message'],
} as const;

export type Column = keyof typeof NAMES;

export const COLUMNS = Object.keys(NAMES) as Column[];

/** Names of columns, separated by blanks, strongest first. */
export type NameLists = Readonly<Partial<Record<Column, string>>>;

export const USUAL_NAMES: NameLists = Object.fromEntries(
  Object.entries(NAMES).map(([column, lists]) => [column, lists.join(' ')]),
);

/** Objects around the fields of a request, in what programs that collect logs send. */
export const ENVELOPES =
  /^(attributes|fields|data|event|payload|jsonPayload|record|context|access|access_log|log|log_processed|nginx|json|entry|http|extra|details|meta)\./i;
