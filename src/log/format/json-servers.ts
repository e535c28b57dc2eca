// Access logs in JSON, by server: the names of their fields, and what identifies their lines. Also Docker, which wraps
// the lines of a container in JSON.
import { NEWLINE, OPEN_BRACE, RETURN } from '../../base/ascii.js';
import { createColumnReader } from './column.js';
import { type Fields, type LineFormat, NOT_IN_FORMAT, type Span, UNIT, type Wants } from './format.js';
import { JsonScanner, NONE } from './json-scan.js';
import { createJsonLines, type JsonNames, JsonText } from './jsonl.js';
import { createNcsa } from './ncsa.js';

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
    duration: 'Duration OriginDuration',
    client: 'ClientHost ClientAddr',
  },
  unitMs: UNIT.ns,
};

export function isTraefik(line: Readonly<Record<string, unknown>>): boolean {
  return 'RequestPath' in line && ('DownstreamStatus' in line || 'OriginStatus' in line || 'RequestAddr' in line);
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
    duration: 'OriginResponseDurationMs EdgeTimeToFirstByteMs',
    client: 'ClientIP',
  },
  unitMs: UNIT.ms,
};

export function isLogpush(line: Readonly<Record<string, unknown>>): boolean {
  return 'ClientRequestURI' in line || 'ClientRequestPath' in line;
}

// The output of a container, as Docker's json-file driver stores it:
//
//   {"log":"192.0.2.1 - - [04/Mar/2025:09:00:01 +0000] \"GET /a HTTP/1.1\" 200 512 \"-\" \"agent\"\n",
//    "stream":"stdout","time":"2025-03-04T09:00:01.123456789Z"}
//
// The text inside is a common or combined log, as nginx and Apache write it in containers, or JSON lines, as Caddy,
// Traefik and many others do. A log in any other format must be unwrapped first (`docker logs`).

export function createDocker(wants: Wants): LineFormat {
  const scanner = new JsonScanner(createColumnReader(undefined, { url: 'log' }));
  const text = new JsonText();
  const inside: Span = { bytes: Buffer.alloc(0), start: 0, end: 0 };
  const line = createNcsa('combined', wants);
  const object = createJsonLines();
  return {
    name: 'docker',
    parse(bytes: Buffer, start: number, end: number, fields: Fields): string | null {
      if (!scanner.scan(bytes, start, end) || scanner.found.url.rank === NONE) return NOT_IN_FORMAT;
      text.read(bytes, scanner.found.url, inside);
      const log = inside.bytes as Buffer;
      const from = inside.start;
      let to = inside.end;
      while (to > from && (log[to - 1] === NEWLINE || log[to - 1] === RETURN)) to--;
      return log[from] === OPEN_BRACE ? object.parse(log, from, to, fields) : line.parse(log, from, to, fields);
    },
  };
}

export function isDocker(line: Readonly<Record<string, unknown>>): boolean {
  return typeof line['log'] === 'string' && 'stream' in line && 'time' in line;
}
