// Access logs of Caddy 2, JSON:
//
//   {"logger":"http.log.access","ts":1703373474.81,"request":{"method":"GET","host":"h.de","uri":"/a?b","headers":
//     {"User-Agent":["Mozilla/5.0"]},"tls":{"version":772}},"size":3609,"status":200}
//
// A request with `tls` came over https.
import { UNIT } from './duration.js';
import type { JsonNames } from './jsonl.js';

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
