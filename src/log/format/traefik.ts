// Access logs of Traefik, JSON (those in CLF are common logs with more fields at the end):
//
//   {"DownstreamContentSize":15,"DownstreamStatus":200,"RequestHost":"h.de","RequestMethod":"GET","RequestPath":"/a?b",
//    "RequestScheme":"https","StartUTC":"2023-08-11T11:39:21.77Z","request_User-Agent":"Mozilla/5.0","time":"…"}
import { UNIT } from './duration.js';
import type { JsonNames } from './jsonl.js';

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
