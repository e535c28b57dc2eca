import { execFile } from 'node:child_process';
import { createServer, type Server, type ServerOptions } from 'node:https';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scratchFolder } from '../../cli/process.js';
import { CERTIFICATE, EARLY, EXPIRED, KEY } from './secure.js';
import { byPath, closeSources, listen, SITE, sourceOf } from './site.js';

const names: (string | false | null)[] = [];
const server = createServer({ key: KEY, cert: CERTIFICATE }, (request, response) => {
  byPath({ '/a': 'secret page' })(request, response);
  if (request.url === '/robots.txt') response.writeHead(404).end();
});
server.on('secureConnection', (socket) => names.push(socket.servername));
const folder = scratchFolder();
let port = 0;

beforeAll(async () => {
  port = await listen(server);
});

afterAll(async () => {
  await closeSources();
  server.close();
  server.closeAllConnections();
  folder.remove();
});

/** A separate process, as certificates are read at its start; it exits when nothing keeps it running. */
function runFetch(urls: readonly string[]): Promise<{ code: number; stdout: string }> {
  const certificate = join(folder.path, 'ca.pem');
  writeFileSync(certificate, CERTIFICATE + EXPIRED + EARLY);
  const dist = new URL('../../../dist/', import.meta.url).href;
  const script = `
    const { createLiveSource } = await import('${dist}src/validate/live/live.js');
    const { lookup, documentOf } = await import('${dist}test/validate/live/site.js');
    const isInside = () => true;
    const source = createLiveSource({ userAgent: 'test', rate: 1000, allowPrivate: true, lookup, documentOf, isInside });
    for (const url of process.argv.slice(1)) console.log((await source.fetch(url, '')).kind);
    await source.close();
    console.log('closed');`;
  const env = { ...process.env, NODE_EXTRA_CA_CERTS: certificate };
  return new Promise((resolve) => {
    const args = ['--input-type=module', '-e', script, ...urls];
    execFile(process.execPath, args, { env, timeout: 20_000 }, (error, stdout) => {
      resolve({ code: error === null ? 0 : 1, stdout });
    });
  });
}

describe('https', () => {
  it('is used if the certificate is that of the host, and the program exits', async () => {
    const urls = ['secure', 'other'].map((name) => `https://${name}.site.test:${port}/a`);
    const began = Date.now();
    const { code, stdout } = await runFetch(urls);
    expect(stdout).toBe('page\nunavailable\nclosed\n');
    expect(code).toBe(0);
    expect(Date.now() - began).toBeLessThan(15_000);
    expect(names).toEqual(['secure.site.test']);
  });

  it('is refused with an untrusted certificate', async () => {
    const result = await sourceOf().fetch(`https://secure.site.test:${port}/a`, SITE);
    expect(result).toMatchObject({ kind: 'unavailable', reason: 'network' });
  });

  it('is refused with a trusted certificate that has expired or is not valid yet, and with an old protocol', async () => {
    const asked: (string | undefined)[] = [];
    const bad: readonly (readonly [name: string, ServerOptions])[] = [
      ['expired', { cert: EXPIRED }],
      ['early', { cert: EARLY }],
      ['secure', { cert: CERTIFICATE, minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT:@SECLEVEL=0' }],
    ];
    const servers: Server[] = [];
    try {
      const urls: string[] = [];
      for (const [name, options] of bad) {
        const one = createServer({ key: KEY, ...options }, (request, response) => {
          asked.push(request.url);
          response.end('secret page');
        });
        servers.push(one);
        urls.push(`https://${name}.site.test:${await listen(one)}/a`);
      }
      const { code, stdout } = await runFetch([...urls, `https://secure.site.test:${port}/a`]);
      expect(stdout).toBe('unavailable\nunavailable\nunavailable\npage\nclosed\n');
      expect(code).toBe(0);
      expect(asked).toEqual([]);
    } finally {
      for (const one of servers) one.close();
    }
  });

  it('fails with a server of http, and the other way round', async () => {
    const result = await sourceOf().fetch(`http://secure.site.test:${port}/a`, SITE);
    expect(result).toMatchObject({ kind: 'unavailable', reason: 'network' });
  });
});
