// Access logs in JSON, by server: the names of their fields, and what identifies their lines.
import { UNIT } from './format.js';
import type { JsonNames } from './jsonl.js';

// Caddy 2; a request with `tls` came over https:
//
//   {"logger":"http.log.access","ts":1703373474.81,"request":{"method":"GET","host":"h.de","uri":"/a?b","headers":
//     {"User-Agent":["Mozilla/5.0"]},"tls":{"version":772}},"size":3609,"status":200}

export const CADDY: JsonNames = {
  name: 'caddy',
  names: {
    url: 'request.uri',
    host: 'request.host',
    scheme: 'request.tls.version',
    method: 'request.method',
    status: 'status',
    size: 'size',
    time: 'ts',
    agent: 'request.headers.User-Agent',
    referrer: 'request.headers.Referer',
    duration: 'duration',
    client: 'request.client_ip request.remote_ip request.remote_addr',
  },
  unitMs: UNIT.s,
};

export function isCaddy(line: Readonly<Record<string, unknown>>): boolean {
  const request = line['request'];
  if (typeof request !== 'object' || request === null) return false;
  return (
    'uri' in request && 'host' in request && ('proto' in request || 'remote_ip' in request || 'remote_addr' in request)
  );
}

// Traefik (its logs in CLF are common logs with more fields at the end):
//
//   {"DownstreamContentSize":15,"DownstreamStatus":200,"RequestHost":"h.de","RequestMethod":"GET","RequestPath":"/a?b",
//    "RequestScheme":"https","StartUTC":"2023-08-11T11:39:21.77Z","request_User-Agent":"Mozilla/5.0","time":"…"}

export const TRAEFIK: JsonNames = {
  name: 'traefik',
  names: {
    url: 'RequestPath',
    host: 'RequestHost RequestAddr',
    scheme: 'RequestScheme',
    method: 'RequestMethod',
    status: 'DownstreamStatus OriginStatus',
    size: 'DownstreamContentSize OriginContentSize',
    time: 'StartUTC StartLocal time',
    agent: 'request_User-Agent',
    referrer: 'request_Referer',
    duration: 'Duration OriginDuration',
    client: 'ClientHost ClientAddr',
  },
  unitMs: UNIT.ns,
};

export function isTraefik(line: Readonly<Record<string, unknown>>): boolean {
  return 'RequestPath' in line && ('DownstreamStatus' in line || 'OriginStatus' in line || 'RequestAddr' in line);
}

// Akamai's DataStream 2, with selectable fields. A path has no slash at its beginning, and no query:
//
//   {"reqTimeSec":"1573840000","reqHost":"h.de","reqMethod":"GET","reqPath":"a/b.html","queryStr":"c=d","proto":"HTTPS",
//    "statusCode":"200","rspContentLen":"5000","UA":"Mozilla%2F5.0+%28X11%29","cliIP":"192.0.2.1"}

export const AKAMAI: JsonNames = {
  name: 'akamai',
  names: {
    url: 'reqPath',
    query: 'queryStr',
    host: 'reqHost',
    scheme: 'proto reqPort',
    method: 'reqMethod',
    status: 'statusCode',
    size: 'rspContentLen objSize bytes',
    time: 'reqTimeSec',
    agent: 'UA',
    referrer: 'referer',
    duration: 'transferTimeMSec',
    client: 'cliIP',
  },
  unitMs: UNIT.ms,
  pathsLackSlash: true,
};

export function isAkamai(line: Readonly<Record<string, unknown>>): boolean {
  return 'reqPath' in line && ('reqHost' in line || 'cliIP' in line || 'statusCode' in line);
}

// Cloudflare's Logpush (and Logpull), with selectable fields:
//
//   {"ClientRequestHost":"h.de","ClientRequestMethod":"GET","ClientRequestURI":"/a?b","ClientRequestScheme":"https",
//    "EdgeResponseStatus":200,"EdgeResponseBytes":4131,"EdgeStartTimestamp":"2024-05-12T10:00:00Z"}
//
// The size of the body is preferred if it is there. Times are RFC 3339, or seconds or nanoseconds since 1970.

export const LOGPUSH: JsonNames = {
  name: 'logpush',
  names: {
    url: 'ClientRequestURI ClientRequestPath',
    host: 'ClientRequestHost',
    scheme: 'ClientRequestScheme',
    method: 'ClientRequestMethod',
    status: 'EdgeResponseStatus OriginResponseStatus',
    size: 'EdgeResponseBodyBytes EdgeResponseBytes',
    time: 'EdgeStartTimestamp EdgeEndTimestamp',
    agent: 'ClientRequestUserAgent',
    referrer: 'ClientRequestReferer',
    duration: 'OriginResponseDurationMs EdgeTimeToFirstByteMs',
    client: 'ClientIP',
  },
  unitMs: UNIT.ms,
};

export function isLogpush(line: Readonly<Record<string, unknown>>): boolean {
  return 'ClientRequestURI' in line || 'ClientRequestPath' in line;
}
