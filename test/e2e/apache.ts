// Starts Debian's Apache on loopback with real dust: its manual under two aliases, in a folder per language, with
// content negotiation, index files and folder listings, on two hosts. The same server that wrote fixtures/access.log.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const APACHE = '/usr/sbin/apache2';
export const MANUAL = '/usr/share/doc/apache2-doc/manual';

export const isInstalled = existsSync(APACHE) && existsSync(`${MANUAL}/en/index.html`);

export interface Answer {
  readonly status: number;
  readonly location: string | undefined;
  readonly type: string | undefined;
  readonly body: Buffer;
}

export interface Apache {
  readonly port: number;
  readonly log: string;
  /** Requests a URL of one of the hosts, without following redirects. */
  get(url: string): Promise<Answer>;
  stop(): Promise<void>;
}

const modules = ['mpm_event', 'authz_core', 'alias', 'dir', 'mime', 'negotiation', 'autoindex'];

export async function startApache(): Promise<Apache> {
  const box = mkdtempSync(join(tmpdir(), 'dustbuster-apache-'));
  spawnSync('chmod', ['711', box]);
  const www = join(box, 'www');
  mkdirSync(www, { mode: 0o755 });
  writeFileSync(
    join(www, 'index.html'),
    '<!DOCTYPE html><html><body><p>The <a href="/manual/en/">manual</a></p></body></html>',
  );
  const port = await freePort();
  const log = join(box, 'access.log');
  writeFileSync(join(box, 'apache.conf'), configuration(box, www, log, port));
  const server = spawn(APACHE, ['-d', box, '-f', join(box, 'apache.conf'), '-DFOREGROUND'], { stdio: 'ignore' });
  const ended = new Promise<void>((done) => server.once('exit', () => done()));
  const get: Apache['get'] = (url) => getFrom(port, url);
  for (let tries = 0; ; tries++) {
    const answer = await get(`http://example.test:${port}/`).catch(() => undefined);
    if (answer?.status === 200) break;
    if (tries > 100 || server.exitCode !== null) {
      throw new Error(
        `Apache does not answer: ${existsSync(join(box, 'error.log')) ? readFileSync(join(box, 'error.log'), 'utf8') : ''}`,
      );
    }
    await new Promise((done) => setTimeout(done, 50));
  }
  return {
    port,
    log,
    get,
    async stop() {
      server.kill('SIGTERM');
      await ended;
      rmSync(box, { recursive: true, force: true });
    },
  };
}

function configuration(box: string, www: string, log: string, port: number): string {
  const user = process.getuid?.() === 0 ? 'User www-data\nGroup www-data\n' : '';
  return `${modules.map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`).join('\n')}
${user}ServerName example.test:${port}
PidFile ${box}/apache.pid
ErrorLog ${box}/error.log
DefaultRuntimeDir ${box}
TypesConfig /etc/mime.types
Listen 127.0.0.1:${port}
<VirtualHost 127.0.0.1:${port}>
  ServerName example.test:${port}
  ServerAlias www.example.test
  UseCanonicalName Off
  DocumentRoot ${www}
  DirectoryIndex index.html
  IndexOptions FancyIndexing
  AddDefaultCharset Off
  Alias /manual ${MANUAL}
  Alias /docs/2.4 ${MANUAL}
  <Directory ${www}>
    Require all granted
  </Directory>
  <Directory ${MANUAL}>
    Options Indexes FollowSymLinks MultiViews
    Require all granted
  </Directory>
  LogFormat "%V:%p %h %l %u %t \\"%r\\" %>s %b \\"%{Referer}i\\" \\"%{User-agent}i\\"" vhost_body
  CustomLog ${log} vhost_body
</VirtualHost>
`;
}

function freePort(): Promise<number> {
  return new Promise((done) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => done(port));
    });
  });
}

function getFrom(port: number, url: string): ReturnType<Apache['get']> {
  const [, host, path] = /^http:\/\/([^/]*)(.*)$/.exec(url)!;
  return new Promise((done, failed) => {
    const options = { host: '127.0.0.1', port, path: path!, headers: { host: host!, 'user-agent': 'crawler/1' } };
    request(options, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', failed);
      response.on('end', () => {
        const { location, 'content-type': type } = response.headers;
        done({ status: response.statusCode!, location, type, body: Buffer.concat(chunks) });
      });
    })
      .on('error', failed)
      .end();
  });
}
