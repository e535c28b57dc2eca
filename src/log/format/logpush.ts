// HTTP requests as Cloudflare's Logpush (and Logpull) writes them, in JSON, with selectable fields:
//
//   {"ClientRequestHost":"h.de","ClientRequestMethod":"GET","ClientRequestURI":"/a?b","ClientRequestScheme":"https",
//    "EdgeResponseStatus":200,"EdgeResponseBytes":4131,"EdgeStartTimestamp":"2024-05-12T10:00:00Z"}
//
// The size of the body is preferred if it is there. Times are RFC 3339, or seconds or nanoseconds since 1970.
import { UNIT } from './duration.js';
import type { JsonNames } from './jsonl.js';

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
