// How programs write the lines that they collect: with a prefix, as the manuals and real output of these programs have
// it, or as a text inside of JSON.
import type { PrefixName } from '../../../src/log/prefix/prefixes.js';

export interface Writer {
  readonly name: string;
  readonly prefixes: readonly PrefixName[];
  readonly write: (line: string, index: number) => string;
}

/** Times of the collector, with a varying number of digits. */
function timeOf(index: number): string {
  return `2026-03-02T06:00:${String(index % 60).padStart(2, '0')}.${String(689166775 + index).slice(0, 9 - (index % 3))}Z`;
}

const seconds = (index: number) => `06:00:${String(index % 60).padStart(2, '0')}`;

export const WRITERS: readonly Writer[] = [
  { name: 'CRI', prefixes: ['cri'], write: (line, k) => `${timeOf(k)} std${k % 5 === 0 ? 'err' : 'out'} F ${line}` },
  { name: 'kubectl --prefix', prefixes: ['kubectl'], write: (line) => `[pod/web-5d4f8b7c9-x2x7q/nginx] ${line}` },
  { name: 'kubectl --timestamps', prefixes: ['timestamps'], write: (line, k) => `${timeOf(k)} ${line}` },
  {
    name: 'kubectl --prefix --timestamps',
    prefixes: ['kubectl', 'timestamps'],
    write: (line, k) => `[pod/web-0/nginx] ${timeOf(k)} ${line}`,
  },
  {
    name: 'docker compose',
    prefixes: ['compose'],
    write: (line, k) => `${k % 2 === 0 ? 'web-1  ' : 'proxy-1'} | ${line}`,
  },
  {
    name: 'docker compose on a terminal',
    prefixes: ['compose'],
    write: (line, k) => `\x1b[3${k % 7}mweb-1  | \x1b[0m${line}`,
  },
  { name: 'docker-compose 1', prefixes: ['compose'], write: (line) => `\x1b[36mweb_1    |\x1b[0m ${line}` },
  {
    name: 'docker compose --timestamps',
    prefixes: ['compose', 'timestamps'],
    write: (line, k) => `web-1  | ${timeOf(k)} ${line}`,
  },
  { name: 'docker service', prefixes: ['compose'], write: (line) => `web.1.q7bxa0xkdq5l@node-3    | ${line}` },
  { name: 'foreman', prefixes: ['foreman'], write: (line, k) => `${seconds(k)} web.1  | ${line}` },
  { name: 'RFC 3164', prefixes: ['syslog'], write: (line, k) => `<190>Mar  2 ${seconds(k)} web1 nginx: ${line}` },
  {
    name: 'RFC 3164 in a file, and the short form of journald',
    prefixes: ['syslog'],
    write: (line, k) => `Mar 12 ${seconds(k)} web1.example nginx[${k + 1}]: ${line}`,
  },
  {
    name: 'journald -o short-precise',
    prefixes: ['syslog'],
    write: (line, k) => `Mar 02 ${seconds(k)}.123456 web1 nginx[812]: ${line}`,
  },
  {
    name: 'rsyslog in a file, and journald -o short-iso',
    prefixes: ['rsyslog'],
    write: (line, k) => `2026-03-02T${seconds(k)}${k % 2 === 0 ? '.123456+00:00' : '+0000'} web1 nginx[812]: ${line}`,
  },
  { name: 'RFC 5424', prefixes: ['rfc5424'], write: (line, k) => `<190>1 ${timeOf(k)} web1 nginx 812 - - ${line}` },
  {
    name: 'RFC 5424 with data and no priority',
    prefixes: ['rfc5424'],
    write: (line, k) => `1 ${timeOf(k)} web1 nginx - ID47 [x@32473 iut="3" event="a b"][y@1] ${line}`,
  },
  { name: 'Heroku', prefixes: ['heroku'], write: (line) => `2026-03-02T06:00:00.123456+00:00 app[web.1]: ${line}` },
  { name: 'stern', prefixes: ['stern'], write: (line) => `web-5d4f8b7c9-x2x7q nginx ${line}` },
  {
    name: 'stern on a terminal',
    prefixes: ['stern'],
    write: (line) => `\x1b[36mweb-5d4f8b7c9-x2x7q\x1b[0m \x1b[96mnginx\x1b[0m ${line}`,
  },
  { name: 'grep', prefixes: ['grep'], write: (line) => `/var/log/nginx/access.log:${line}` },
  { name: 'grep -n', prefixes: ['grep -n'], write: (line, k) => `access_log.1:${k + 1}:${line}` },
  {
    name: 'grep of syslog',
    prefixes: ['grep', 'syslog'],
    write: (line, k) => `messages.1:Mar  2 ${seconds(k)} web1 nginx[1]: ${line}`,
  },
  { name: 'colours', prefixes: [], write: (line, k) => `\x1b[3${k % 7}m${line}` },
];

/** Programs that put a line into JSON. */
export const WRAPPERS: readonly Pick<Writer, 'name' | 'write'>[] = [
  {
    name: 'Docker',
    write: (line, k) => JSON.stringify({ log: `${line}\n`, stream: 'stdout', time: timeOf(k) }),
  },
  {
    name: 'Filebeat',
    write: (message, k) =>
      JSON.stringify({
        '@timestamp': timeOf(k),
        '@metadata': { beat: 'filebeat' },
        log: { offset: k, file: { path: '/var/log/nginx/access.log' } },
        message,
        host: { name: 'web1' },
      }),
  },
  {
    name: 'Fluent Bit',
    write: (log, k) =>
      JSON.stringify({ time: timeOf(k), stream: 'stdout', _p: 'F', log, kubernetes: { host: 'node-3' } }),
  },
  { name: 'Loki', write: (line, k) => JSON.stringify({ labels: { app: 'web' }, line, timestamp: timeOf(k) }) },
  {
    name: 'journald',
    write: (text) => JSON.stringify({ _HOSTNAME: 'web1', SYSLOG_IDENTIFIER: 'nginx', PRIORITY: '6', MESSAGE: text }),
  },
  {
    name: 'Docker of Filebeat',
    write: (message, k) =>
      JSON.stringify({ log: `${JSON.stringify({ message, host: 'node-1' })}\n`, stream: 'stdout', time: timeOf(k) }),
  },
  {
    name: 'CRI of Fluent Bit',
    write: (log, k) => `${timeOf(k)} stdout F ${JSON.stringify({ log, host: 'node-1' })}`,
  },
];
