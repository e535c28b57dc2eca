// What Apache and nginx write in a format, we read by the same format string: URLs requested = records read. Runs if
// the servers are installed.
import { describe, expect, test } from 'vitest';
import type { Filters } from '../../src/log/filter.js';
import { read } from '../log/reading.js';
import { APACHE, isInstalled, NGINX, startApache, startNginx, type LogServer, type Request } from './log-servers.js';

const TARGETS = [
  '/',
  '/a?b=1&c=2',
  '/a%20b',
  '/a%22b?q=%22x%22',
  '/%C3%A4/%e4',
  '/a;v=1/b,c',
  "/it's(1)!*",
  '/a?b?c',
  '/a-',
  '/-?-=',
  '/50%25',
  '/a?u=http://x/y',
  '/a?x=%5C%0a',
  '/long/'.padEnd(500, 'x'),
];
const AGENTS = ['plain/1', 'odd "agent" \\ x', 'tab\there', '\xe4\xf6 é', '-'];

/** Formats that have the URL as requested; and those in which the server has decoded its path. */
const APACHE_FORMATS: readonly string[] = [
  '%h %l %u %t \\"%r\\" %>s %b \\"%{Referer}i\\" \\"%{User-Agent}i\\"',
  '%{Host}i|%!200,304{Referer}i|%r|%<s/%>s|%{User-Agent}i|%X%%',
  '%{User-Agent}i\\t%{Host}i\\t%r\\t%{X}o\\t%D',
  '{\\"time\\":\\"%{%Y-%m-%dT%T%z}t\\",\\"agent\\":\\"%{User-Agent}i\\",\\"request\\":\\"%r\\",\\"status\\":%>s,\\"host\\":\\"%{Host}i\\"}',
  '[%{%d/%b/%Y %T}t.%{msec_frac}t %{%z}t] \\"%r\\" %B %{Host}i',
  '%v:%p %m \\"%U%q\\" %H %>s %O \\"%{User-Agent}i\\"',
  '%v,%p,%h,%l,%u,%t,%{ms}T,%D,%^FB,%>s,\\"%H\\",\\"%m\\",\\"%U\\",\\"%q\\",\\"%{Referer}i\\",\\"%{User-Agent}i\\",\\"%{c}C\\",%L',
];
const NGINX_FORMATS: readonly string[] = [
  `'$remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent ' '"$http_referer" "$http_user_agent"'`,
  `'$scheme://$http_host$request_uri $request_method $status $msec'`,
  `escape=json '{"a":"$http_user_agent","u":"$request_uri","h":"$http_host",' '"s":$status,"t":"$time_iso8601"}'`,
  `escape=json '{"request":"$request","host":"$http_host","nothing":"$http_nothing","t":$msec}'`,
  `'$http_host\\t$request_time\\t$request\\t$status\\t"$http_user_agent"'`,
  `'$http_host $uri$is_args$args $status'`,
  `'"$uri" "$args" $status $http_host \${bytes_sent}b'`,
];

async function logOf(server: LogServer): Promise<{ requests: Request[]; logs: Buffer[] }> {
  const requests: Request[] = [];
  for (const [k, target] of TARGETS.entries()) {
    const request = { target, host: `h${k % 3}.test:${server.port}`, agent: AGENTS[k % AGENTS.length]! };
    const status = await server.ask(request);
    expect(status, target).toBe(200);
    requests.push(request);
  }
  return { requests, logs: await server.stop() };
}

/** With a decoded path, as in some formats; an empty query is none. */
function decoded(url: string): string {
  const [path, ...query] = url.replace(/^http:\/\/[^/]*/, '').split('?');
  const bytes = path!.replace(/%([0-9a-f]{2})/gi, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  );
  return [bytes, ...query].join('?');
}

async function check(given: string, log: Buffer, requests: readonly Request[], isDecoded: boolean): Promise<void> {
  const { rows, summary } = await read(log, { logFormat: given, normalize: 'none' });
  const urls = rows.map(({ url }) => url);
  const hasHost = /Host|host/.test(given);
  const asked = requests.map(({ target, host }) => (hasHost ? `http://${host}${target}` : target));
  if (isDecoded) expect(urls.map(decoded), given).toEqual(asked.map(decoded));
  else expect(urls, given).toEqual(asked);
  expect(summary).toMatchObject({ lines: requests.length, records: requests.length, rejected: {} });
  const now = Date.now();
  const filters: Filters = { since: now - 3_600_000, until: now + 3_600_000 };
  if (/%t|\}t|\$time|\$msec/.test(given)) {
    expect((await read(log, { logFormat: given, filters })).rows, given).toHaveLength(requests.length);
    const past = { until: now - 3_600_000 };
    expect((await read(log, { logFormat: given, filters: past })).summary.dropped).toEqual({ time: requests.length });
  }
}

describe.skipIf(!isInstalled(APACHE))('Apache', { timeout: 60_000 }, () => {
  test('writes lines that its own format string reads', async () => {
    const { requests, logs } = await logOf(await startApache(APACHE_FORMATS));
    for (const [k, format] of APACHE_FORMATS.entries()) {
      await check(`LogFormat "${format}" name`, logs[k]!, requests, format.includes('%U'));
      await check(format, logs[k]!, requests, format.includes('%U'));
    }
  });
});

describe.skipIf(!isInstalled(NGINX))('nginx', { timeout: 60_000 }, () => {
  test('writes lines that its own format string reads', async () => {
    const { requests, logs } = await logOf(await startNginx(NGINX_FORMATS));
    for (const [k, format] of NGINX_FORMATS.entries()) {
      await check(`log_format name ${format};`, logs[k]!, requests, format.includes('$uri'));
    }
  });
});
