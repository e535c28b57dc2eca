// Starts real servers on loopback with an exported file, and follows the redirects of URLs.
import { spawn, type ChildProcess } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, createServer as createBackend, request, type Server as Backend } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encodeText } from '../../src/base/bytes.js';

export interface Server {
  /** Where the redirects of a URL (one char per byte) end. */
  end(url: string, method?: string): Promise<Walk>;
  /** What one answer announces. */
  announced(url: string, method?: string): Promise<Announced>;
  stop(): Promise<void>;
}

export interface Walk {
  readonly url: string;
  readonly redirects: number;
  readonly status: number;
}

export interface Announced {
  readonly status: number;
  readonly location: string | undefined;
  /** All `Link` headers of the answer, one char per byte. */
  readonly link: string;
}

const NGINX = '/usr/sbin/nginx';
export const hasNginx = existsSync(NGINX);

const APACHE = '/usr/sbin/apache2';
export const hasApache = existsSync(APACHE);

const VARNISH = '/usr/sbin/varnishd';
export const hasVarnish = existsSync(VARNISH);

/** By the name of the target. */
export const servers: ReadonlyMap<string, (exported: string) => Promise<Server>> = new Map<
  string,
  (exported: string) => Promise<Server>
>([
  ['nginx', startNginx],
  ['apache', startApache],
  ['varnish', startVarnish],
]);

/** Several exports stand in one server block, as one pastes them. */
export async function startNginx(...exports: readonly string[]): Promise<Server> {
  const box = mkdtempSync(join(tmpdir(), 'dustbuster-nginx-'));
  const port = await freePort();
  // There is no TLS here: the scheme comes from a header, as from a proxy.
  const inServer: string[] = [];
  for (const [at, exported] of exports.entries()) {
    const include = `include ${box}/dustbuster-${at}.conf;`;
    writeFileSync(
      join(box, `dustbuster-${at}.conf`),
      encodeText(exported.replaceAll('$scheme', '$http_x_forwarded_proto')),
    );
    inServer.push(include);
  }
  writeFileSync(
    join(box, 'nginx.conf'),
    `daemon off; worker_processes 1; pid ${box}/nginx.pid; error_log ${box}/error.log info;
events {}
http {
  access_log off; client_body_temp_path ${box}/b; proxy_temp_path ${box}/p; fastcgi_temp_path ${box}/f;
  uwsgi_temp_path ${box}/u; scgi_temp_path ${box}/s; keepalive_requests 1000000;
  server {
    listen 127.0.0.1:${port};
    ${inServer.join('\n    ')}
    location / { return 204; }
  }
}
`,
  );
  return serve(spawn(NGINX, ['-p', box, '-c', join(box, 'nginx.conf')], { stdio: 'ignore' }), box, port);
}

export async function startApache(...exports: readonly string[]): Promise<Server> {
  const exported = exports.join('\n');
  const box = mkdtempSync(join(tmpdir(), 'dustbuster-apache-'));
  chmodSync(box, 0o755);
  const port = await freePort();
  const file = exported.replaceAll('%{REQUEST_SCHEME}', '%{HTTP:X-Forwarded-Proto}');
  writeFileSync(join(box, 'dustbuster.conf'), encodeText(file));
  const modules = ['mpm_event', 'authz_core', 'rewrite', 'headers'];
  // A file for answers with headers: those of a success are not sent with a status by [R].
  writeFileSync(join(box, 'page.html'), 'a page');
  const isLink = exported.includes('DUSTBUSTER_LINK');
  const user = process.getuid?.() === 0 ? 'User www-data\nGroup www-data\n' : '';
  writeFileSync(
    join(box, 'apache.conf'),
    `${modules.map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`).join('\n')}
${user}ServerName example.test
PidFile ${box}/apache.pid
ErrorLog ${box}/error.log
DefaultRuntimeDir ${box}
Listen 127.0.0.1:${port}
AllowEncodedSlashes NoDecode
MaxKeepAliveRequests 0
<VirtualHost 127.0.0.1:${port}>
  Include ${box}/dustbuster.conf
  RewriteEngine On
  RewriteRule ^ ${isLink ? `${box}/page.html [L]` : '- [R=204]'}
</VirtualHost>
`,
  );
  return serve(
    spawn(APACHE, ['-d', box, '-f', join(box, 'apache.conf'), '-DFOREGROUND'], { stdio: 'ignore' }),
    box,
    port,
  );
}

export async function startVarnish(exported: string): Promise<Server> {
  const box = mkdtempSync(join(tmpdir(), 'dustbuster-varnish-'));
  chmodSync(box, 0o755);
  const port = await freePort();
  writeFileSync(join(box, 'dustbuster.vcl'), encodeText(exported));
  // Answers that are made up are not delivered as those of a backend are.
  const backend = exported.includes('X-Dustbuster-Link') ? await startBackend() : undefined;
  const behind = backend === undefined ? 'none' : `{ .host = "127.0.0.1"; .port = "${portOf(backend)}"; }`;
  const rest = backend === undefined ? 'sub vcl_recv { return (synth(204)); }' : '';
  const include = `include "${box}/dustbuster.vcl";`;
  writeFileSync(
    join(box, 'all.vcl'),
    `vcl 4.1;\nbackend default ${behind}\n${include}\n${rest}\n`.replace('none\n', 'none;\n'),
  );
  const args = ['-F', '-n', join(box, 'work'), '-a', `127.0.0.1:${port}`, '-s', 'malloc,16m'];
  return serve(spawn(VARNISH, [...args, '-f', join(box, 'all.vcl')], { stdio: 'ignore' }), box, port, backend);
}

/** Answers with a link of its own, and says so if it is asked with a header of the export. */
async function startBackend(): Promise<Backend> {
  const backend = createBackend(({ headers }, response) => {
    const isClean = !Object.keys(headers).some((name) => name.startsWith('x-dustbuster'));
    response.writeHead(isClean ? 200 : 500, { link: '</style.css>; rel="preload"', 'cache-control': 'no-store' });
    response.end('a page');
  });
  await new Promise<void>((done) => backend.listen(0, '127.0.0.1', done));
  return backend;
}

function portOf(server: Pick<Backend, 'address'>): number {
  return (server.address() as AddressInfo).port;
}

async function serve(child: ChildProcess, box: string, port: number, backend?: Backend): Promise<Server> {
  const ended = new Promise<void>((done) => child.once('exit', () => done()));
  const agent = new Agent({ keepAlive: true, maxSockets: 16 });
  for (let tries = 0; !(await isUp(agent, port)); tries++) {
    if (tries > 200 || child.exitCode !== null) {
      const log = join(box, 'error.log');
      throw new Error(`the server does not answer: ${existsSync(log) ? readFileSync(log, 'utf8').slice(0, 3000) : ''}`);
    }
    await new Promise((done) => setTimeout(done, 50));
  }
  return {
    end: (url, method = 'GET') => walk(agent, port, url, method),
    announced: (url, method = 'GET') => ask(agent, port, url, method),
    async stop() {
      agent.destroy();
      child.kill('SIGTERM');
      await ended;
      backend?.close();
      backend?.closeAllConnections();
      rmSync(box, { recursive: true, force: true });
    },
  };
}

function isUp(agent: Agent, port: number): Promise<boolean> {
  return ask(agent, port, 'http://up.example/up').then(
    () => true,
    () => false,
  );
}

async function walk(agent: Agent, port: number, url: string, method: string): Promise<Walk> {
  let at = url;
  for (let redirects = 0; ; redirects++) {
    const { status, location } = await ask(agent, port, at, method);
    if (location === undefined || redirects === 30) return { url: at, redirects, status };
    at = location;
  }
}

function ask(agent: Agent, port: number, url: string, method = 'GET'): Promise<Announced> {
  const [, scheme, host, path] = /^(https?):\/\/([^/]*)(.*)$/.exec(url) ?? [];
  if (path === undefined) throw new Error(`no URL to ask for: ${url}`);
  const headers = { host: host!, 'x-forwarded-proto': scheme! };
  return new Promise((done, failed) => {
    const asking = request({ agent, host: '127.0.0.1', port, path, headers, method }, (response) => {
      response.resume();
      response.on('error', failed);
      response.on('end', () => {
        const { location, link = '' } = response.headers;
        done({ status: response.statusCode!, location, link: [link].flat().join(', ') });
      });
    });
    asking.on('error', (error) => {
      // A server may close a kept connection just when it is reused.
      if (asking.reusedSocket) ask(agent, port, url, method).then(done, failed);
      else failed(error);
    });
    asking.end();
  });
}

function freePort(): Promise<number> {
  return new Promise((done) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => done(port));
    });
  });
}
