// The same requests in the formats of many servers: all by GET, nearly all answered with 200, so that every line is a
// record and the distinct URLs of a log are those of its URL column.
import { seeded } from './random.js';
import { SEED, siteUrls, type SiteUrl } from './site.js';

const NEW = 0.75;
const AGENT = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0';
const OWNER = '79a59df900b949e55d96a1e698fbacedfd6e09d98eacf8f8d5218e7cd47ef2be';

interface Request {
  readonly host: string;
  readonly target: string;
  readonly path: string;
  /** Without its mark, `-` where there is none. */
  readonly query: string;
  readonly status: number;
  readonly size: number;
  /** `09:59:01` */
  readonly clock: string;
  readonly client: string;
}

export interface BenchFormat {
  readonly name: string;
  /** Lines before the first request. */
  readonly head?: string;
  line(request: Request): string;
  /** The awk program that prints the URL column. */
  readonly awk: readonly string[];
  /** What GoAccess calls the format, if it knows it. */
  readonly goAccess?: string;
}

const json = (value: object) => JSON.stringify(value);

export const BENCH_FORMATS: readonly BenchFormat[] = [
  {
    name: 'combined',
    line: ({ client, clock, target, status, size }) =>
      `${client} - - [12/May/2024:${clock} +0000] "GET ${target} HTTP/1.1" ${status} ${size} "-" "${AGENT}"`,
    awk: ['{print $7}'],
    goAccess: 'COMBINED',
  },
  {
    name: 'w3c of IIS',
    head:
      '#Software: Microsoft Internet Information Services 10.0\n#Version: 1.0\n#Date: 2024-05-12 00:00:00\n' +
      '#Fields: date time s-ip cs-method cs-uri-stem cs-uri-query s-port cs-username c-ip cs(User-Agent) cs(Referer) ' +
      'sc-status sc-substatus sc-win32-status time-taken\n',
    line: ({ client, clock, path, query, status }) =>
      `2024-05-12 ${clock} 10.0.0.1 GET ${path} ${query} 80 - ${client} ${AGENT.replaceAll(' ', '+')} - ${status} 0 0 12`,
    awk: ['NR > 4 {print $5 "?" $6}'],
    goAccess: 'W3C',
  },
  {
    name: 'w3c of CloudFront',
    head:
      '#Version: 1.0\n#Fields: date time x-edge-location sc-bytes c-ip cs-method cs(Host) cs-uri-stem sc-status cs(Referer) ' +
      'cs(User-Agent) cs-uri-query cs(Cookie) x-edge-result-type x-edge-request-id x-host-header cs-protocol cs-bytes ' +
      'time-taken x-forwarded-for ssl-protocol ssl-cipher x-edge-response-result-type cs-protocol-version fle-status ' +
      'fle-encrypted-fields\n',
    line: ({ client, clock, path, query, status, size, host }) =>
      `2024-05-12 ${clock} FRA2-C1 ${size} ${client} GET d1.cloudfront.net ${path} ${status} - ` +
      `${AGENT.replaceAll(' ', '%20')} ${query} - Hit EXAMPLE== ${host} https 412 0.001 - TLSv1.3 ` +
      'TLS_AES_128_GCM_SHA256 Hit HTTP/2.0 - -',
    awk: ['-F', '\t', 'NR > 2 {print $16 $8 "?" $12}'],
    goAccess: 'CLOUDFRONT',
  },
  {
    name: 'alb',
    line: ({ client, clock, host, target, status, size }) =>
      `https 2024-05-12T${clock}.123456Z app/lb/50dc6c495c0c9188 ${client}:2817 10.0.0.1:80 0.000 0.012 0.000 ${status} ` +
      `${status} 225 ${size} "GET https://${host}:443${target} HTTP/2.0" "${AGENT}" ECDHE-RSA-AES128-GCM-SHA256 TLSv1.2 ` +
      `arn:aws:elasticloadbalancing:eu-central-1:123456789012:targetgroup/t/73e2 "Root=1-58337262" "${host}" "-" 0 ` +
      `2024-05-12T${clock}.000000Z "forward" "-" "-" "10.0.0.1:80" "${status}" "-" "-"`,
    awk: ['{print $14}'],
    goAccess: 'AWSELB',
  },
  {
    name: 'elb',
    line: ({ client, clock, host, target, status, size }) =>
      `2024-05-12T${clock}.123456Z lb ${client}:2817 10.0.0.1:80 0.000086 0.001048 0.001337 ${status} ${status} 0 ${size} ` +
      `"GET http://${host}:80${target} HTTP/1.1" "${AGENT}" - -`,
    awk: ['{print $13}'],
  },
  {
    name: 's3',
    line: ({ client, clock, host, target, path, status, size }) =>
      `${OWNER} bucket [12/May/2024:${clock} +0000] ${client} - 3E57427F3EXAMPLE WEBSITE.GET.OBJECT ${path.slice(1)} ` +
      `"GET ${target} HTTP/1.1" ${status} - ${size} ${size} 12 9 "-" "${AGENT}" - id= - - - ${host} - - -`,
    awk: ['{h = $(NF - 3); print h $11}'],
    goAccess: 'AWSS3',
  },
  {
    name: 'caddy',
    line: ({ client, clock, host, target, status, size }) =>
      json({
        level: 'info',
        ts: 1715472000 + Number(clock.slice(-2)) + 0.5,
        logger: 'http.log.access.log0',
        msg: 'handled request',
        request: {
          remote_ip: client,
          remote_port: '64985',
          client_ip: client,
          proto: 'HTTP/2.0',
          method: 'GET',
          host,
          uri: target,
          headers: {
            'User-Agent': [AGENT],
            Accept: ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'],
            'Accept-Encoding': ['gzip, deflate, br'],
            'Accept-Language': ['en-GB,en;q=0.5'],
          },
          tls: { resumed: false, version: 772, cipher_suite: 4865, proto: 'h2', server_name: host },
        },
        bytes_read: 0,
        user_id: '',
        duration: 0.0013,
        size,
        status,
        resp_headers: { Server: ['Caddy'], 'Content-Type': ['text/html'], Vary: ['Accept-Encoding'] },
      }),
    awk: ['-F', '"', '{print $40 $44}'],
    goAccess: 'CADDY',
  },
  {
    name: 'traefik',
    line: ({ client, clock, host, target, status, size }) =>
      json({
        ClientAddr: `${client}:52458`,
        ClientHost: client,
        DownstreamContentSize: size,
        DownstreamStatus: status,
        Duration: 10002425,
        OriginContentSize: size,
        OriginStatus: status,
        RequestAddr: host,
        RequestContentSize: 0,
        RequestHost: host,
        RequestMethod: 'GET',
        RequestPath: target,
        RequestPort: '-',
        RequestProtocol: 'HTTP/2.0',
        RequestScheme: 'https',
        ServiceURL: { Scheme: 'http', Host: 'app:80', Path: '' },
        StartUTC: `2024-05-12T${clock}.773360139Z`,
        'request_User-Agent': AGENT,
        time: `2024-05-12T${clock}Z`,
      }),
    awk: ['-F', '"', '{print $28 $36}'],
  },
  {
    name: 'logpush',
    line: ({ client, clock, host, target, path, status, size }) =>
      json({
        ClientIP: client,
        ClientRequestHost: host,
        ClientRequestMethod: 'GET',
        ClientRequestPath: path,
        ClientRequestScheme: 'https',
        ClientRequestURI: target,
        ClientRequestUserAgent: AGENT,
        EdgeResponseBytes: size,
        EdgeResponseStatus: status,
        EdgeStartTimestamp: `2024-05-12T${clock}Z`,
        RayID: '3a6050bcbe121200',
      }),
    awk: ['-F', '"', '{print $8 $24}'],
  },
  {
    name: 'jsonl of nginx',
    line: ({ client, clock, host, target, status, size }) =>
      json({
        time_iso8601: `2024-05-12T${clock}+00:00`,
        remote_addr: client,
        request_method: 'GET',
        scheme: 'https',
        http_host: host,
        request_uri: target,
        status: String(status),
        body_bytes_sent: String(size),
        http_user_agent: AGENT,
      }),
    awk: ['-F', '"', '{print $20 $24}'],
  },
  {
    name: 'haproxy',
    line: ({ client, clock, host, target, status, size }) =>
      `May 12 ${clock} lb1 haproxy[6801]: ${client}:55008 [12/May/2024:${clock}.584] www~ app/web1 0/0/0/72/72 ${status} ` +
      `${size} - - ---- 5/4/0/1/0 0/0 {${host}|${AGENT}} "GET ${target} HTTP/1.1"`,
    awk: ['{split($18, h, "[{|]"); print h[2] $(NF - 1)}'],
  },
  {
    name: 'squid',
    line: ({ client, clock, host, target, status, size }) =>
      `17154720${clock.slice(-2)}.584    112 ${client} TCP_MISS/${status} ${size} GET http://${host}${target} - ` +
      'HIER_DIRECT/198.51.100.1 text/html',
    awk: ['{print $7}'], // GoAccess knows it behind a syslog head only
  },
  {
    name: 'cdx',
    head: ' CDX N b a m s k r M S V g\n',
    line: ({ clock, host, target, status, size }) =>
      `com,example)${target} 20240512${clock.replaceAll(':', '')} http://${host}${target} text/html ${status} ` +
      `OFUHFVXAJI6UR57OVRTINB74LNFI3EUU - - ${size} 1000 site.warc.gz`,
    awk: ['NR > 1 {print $3}'],
  },
  {
    name: 'cdxj',
    line: ({ clock, host, target, status, size }) =>
      `com,example)${target} 20240512${clock.replaceAll(':', '')} {"url": "http://${host}${target}", "mime": "text/html", ` +
      `"status": "${status}", "digest": "OFUHFVXAJI6UR57OVRTINB74LNFI3EUU", "length": "${size}", "offset": "1000", ` +
      '"filename": "site.warc.gz"}',
    awk: ['-F', '"', '{print $4}'],
  },
];

export function* formatLines(format: BenchFormat, count: number, seed = SEED): Generator<string> {
  const random = seeded(seed);
  const urls = siteUrls(count, seed);
  const seen: SiteUrl[] = [];
  if (format.head !== undefined) yield format.head;
  for (let line = 0; line < count; line++) {
    const isNew = line === 0 || random() < NEW;
    if (isNew) seen.push(urls.next().value as SiteUrl);
    const url = isNew ? seen.at(-1)! : seen[Math.floor(Math.sqrt(random()) * seen.length)]!;
    const text = format.line(requestOf(url, line, random()));
    yield `${format.name === 'w3c of CloudFront' ? text.replaceAll(' ', '\t') : text}\n`;
  }
}

function requestOf({ host, path: target, size }: SiteUrl, line: number, chance: number): Request {
  const mark = target.indexOf('?');
  const two = (n: number, below: number) => String(Math.floor(n) % below).padStart(2, '0');
  return {
    host,
    target,
    path: mark < 0 ? target : target.slice(0, mark),
    query: mark < 0 ? '-' : target.slice(mark + 1),
    status: chance < 0.01 ? 301 : 200,
    size,
    clock: `${two(line / 3600, 24)}:${two(line / 60, 60)}:${two(line, 60)}`,
    client: `198.51.${line % 100}.${size % 256}`,
  };
}
