// What nginx sends to syslog, and what grep prints of its logs, are the same requests as in its log. Runs if nginx is
// installed.
import { execFileSync } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { scratchFolder } from '../cli/process.js';
import { read } from '../log/reading.js';
import { isInstalled, NGINX, startNginx } from './log-servers.js';

const FORMATS = [
  `'$http_host $remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent "-" "$http_user_agent"'`,
  `'$remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent "-" "$http_user_agent"'`,
  `escape=json '{"time":"$time_iso8601","host":"$http_host","uri":"$uri","request":"$request","status":$status}'`,
];
const TARGETS = ['/', '/a?b=1', '/a%20b?x', '/p/1.html', '/p/2.html?utm_source=mail', '/p/3', '/p/4', '/%C3%A4'];

let folder: ReturnType<typeof scratchFolder>;
beforeAll(() => (folder = scratchFolder()));
afterAll(() => folder.remove());

test.skipIf(!isInstalled(NGINX))('nginx by syslog, and grep', { timeout: 60_000 }, async () => {
  const received: string[][] = FORMATS.map(() => []);
  const sockets = FORMATS.map(() => createSocket('udp4'));
  for (const [k, socket] of sockets.entries()) {
    socket.on('message', (message) => received[k]!.push(message.toString('latin1')));
    socket.bind(0, '127.0.0.1');
    await once(socket, 'listening');
  }
  const toSyslog = FORMATS.map(
    (format, k) => `${format}; access_log syslog:server=127.0.0.1:${sockets[k]!.address().port},tag=nginx f${k}`,
  );
  const server = await startNginx(toSyslog);
  for (const [k, target] of TARGETS.entries()) {
    expect(await server.ask({ target, host: `shop${k % 2}.test:${server.port}`, agent: 'x' })).toBe(200);
  }
  const logs = await server.stop();
  for (const socket of sockets) socket.close();
  for (const [k, log] of logs.entries()) {
    const bare = await read(log);
    expect(bare.rows).toHaveLength(TARGETS.length);
    const sent = await read(Buffer.from(received[k]!.join('\n'), 'latin1'));
    expect([sent.rows, sent.summary.format]).toEqual([bare.rows, `${bare.summary.format} behind syslog`]);
    const file = join(folder.path, `access_log.${k}`);
    writeFileSync(file, log);
    for (const [flag, name] of [
      ['-H', 'grep'],
      ['-Hn', 'grep -n'],
    ] as const) {
      const printed = await read(execFileSync('grep', [flag, '', file]));
      expect([printed.rows, printed.summary.format]).toEqual([bare.rows, `${bare.summary.format} behind ${name}`]);
    }
  }
});
