// Starts a web server of this machine with an export, on a loopback port, and follows its redirects. Requests that the
// server would pass on to the site are answered with 204. validate/live fetches the pages themselves, as politely as
// ever.
import { spawn, type ChildProcess } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { delimiter, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { decodeText, encodeText, printable } from '../../../base/bytes.js';
import type { Effects } from '../../../base/effects.js';
import { systemCode, UserError } from '../../../base/error.js';
import { makeScratchFolder } from '../../../base/draft.js';
import type { Walk } from '../../../validate/rehearse.js';
import { onSignal } from '../../terminal/signals.js';

interface LocalServer {
  follow(url: string): Promise<Walk>;
  stop(): Promise<void>;
}

interface Kind {
  readonly programs: readonly string[];
  /** Writes the server's files into the folder `box`, and returns its arguments. */
  readonly configure: (box: string, port: number, exported: string) => readonly string[];
}

const KINDS: ReadonlyMap<string, Kind> = new Map([
  ['nginx', { programs: ['nginx'], configure: configureNginx }],
  ['apache', { programs: ['apache2', 'httpd'], configure: configureApache }],
  ['varnish', { programs: ['varnishd'], configure: configureVarnish }],
]);

export const REHEARSABLE: readonly string[] = [...KINDS.keys()];

/** Folders with servers that may be missing in PATH. */
const MORE_FOLDERS = ['/usr/sbin', '/usr/local/sbin', '/usr/local/bin', '/opt/homebrew/bin'];

/** The path of the server's program. Throws a UserError if it is not installed. */
export function findServer(name: string, { env }: Pick<Effects, 'env'>, more = MORE_FOLDERS): string {
  const { programs } = KINDS.get(name)!;
  const folders = [...(env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== ''), ...more];
  for (const folder of folders) {
    for (const program of programs) if (existsSync(join(folder, program))) return join(folder, program);
  }
  const others = REHEARSABLE.filter((other) => other !== name).join(' or ');
  throw new UserError(
    `${name} is not installed: there is no ${programs.join(' or ')} in PATH. Install it, or rehearse with --to ${others}; ` +
      `without a server, export --to ${name} writes the same file without a rehearsal`,
  );
}

/** `program` comes from `findServer`. Throws a UserError if the server does not start with the export. */
export async function startServer(
  name: string,
  program: string,
  exported: string,
  tmpdir: string,
): Promise<LocalServer> {
  const box = makeScratchFolder(tmpdir, 'rehearse');
  chmodSync(box, 0o755); // some give up root for a user of their own
  const port = await freePort();
  const args = KINDS.get(name)!.configure(box, port, exported);
  const log = join(box, 'said');
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => (said = (said + chunk.toString('latin1')).slice(-4000)));
  }
  const ended = new Promise<void>((done) => {
    child.once('exit', () => done());
    child.once('error', () => done());
  });
  const agent = new Agent({ keepAlive: true, maxSockets: 16 });
  const unwatch = watch(child, box);
  const remove = () => {
    unwatch();
    child.kill('SIGTERM');
    rmSync(box, { recursive: true, force: true });
  };
  const undo = onSignal(remove);
  const stop = async () => {
    undo();
    agent.destroy();
    unwatch();
    child.kill('SIGTERM');
    await ended;
    rmSync(box, { recursive: true, force: true });
  };
  const follow = async (url: string) => {
    try {
      return await walk(agent, port, url);
    } catch (error) {
      const code = systemCode(error);
      if (code === undefined) throw error;
      await Promise.race([ended, setTimeout(EXIT_MS)]);
      const { exitCode, signalCode } = child;
      const why = signalCode ?? (exitCode === null ? code : `exit code ${exitCode}`);
      throw new UserError(`${name} stopped answering while URLs were replayed (${why}); nothing is written`);
    }
  };
  if (await isUp(agent, port, child)) return { follow, stop };
  const words = existsSync(log) ? `${said}${readFileSync(log, 'latin1')}` : said;
  await stop();
  const line = words.split('\n').find((one) => /emerg|syntax|error|cannot|could not/i.test(one)) ?? words.slice(0, 300);
  throw new UserError(`${name} does not start with the export: ${printable(line.trim()) || 'it says nothing'}`);
}

/** Waits before it removes the box: a server that is ending, or its compiler, may still write there. */
const AFTER_US = `read -r _; kill "$1"; n=0
while [ -e "$2" ] && [ $n -lt 50 ]; do kill -0 "$1" || rm -rf -- "$2"; sleep 0.1; n=$((n + 1)); done
rm -rf -- "$2"`;

/** Ends the server and removes its box if this process ends without doing so. Returns how to stop watching. */
function watch(server: ChildProcess, box: string): () => void {
  if (server.pid === undefined) return () => undefined;
  // The watcher reads from a pipe, which closes when this process ends, however it ends.
  const watching = spawn('sh', ['-c', AFTER_US, 'sh', String(server.pid), box], {
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  watching.on('error', () => undefined); // no sh: as without it
  watching.stdin.on('error', () => undefined);
  const unwatch = () => void watching.kill('SIGKILL');
  server.once('exit', unwatch);
  return unwatch;
}

const UP_MS = 20_000;
/** The exit of a process is known a little after its connections have broken. */
const EXIT_MS = 5000;

async function isUp(agent: Agent, port: number, child: ChildProcess): Promise<boolean> {
  for (let waited = 0; waited < UP_MS && child.exitCode === null && child.pid !== undefined; waited += 50) {
    const answer = await ask(agent, port, 'http://up.example/up').catch(() => undefined);
    if (answer !== undefined) return true;
    await setTimeout(50);
  }
  return false;
}

/** The limit of browsers. */
const MOST_REDIRECTS = 20;

async function walk(agent: Agent, port: number, url: string): Promise<Walk> {
  const hops: string[] = [];
  for (let at = url; ;) {
    const location = await ask(agent, port, at);
    if (location === null) return { hops, isLoop: false };
    if (hops.includes(location) || location === url || hops.length === MOST_REDIRECTS) return { hops, isLoop: true };
    hops.push(location);
    at = location;
  }
}

/** The target of the server's redirect; null if it does not redirect. */
function ask(agent: Agent, port: number, url: string): Promise<string | null> {
  const bytes = Buffer.from(encodeText(url)).toString('latin1');
  const [, scheme, host, path] = /^(https?):\/\/([^/?]*)(.*)$/s.exec(bytes) ?? [];
  if (host === undefined || !path!.startsWith('/')) return Promise.resolve(null);
  const headers = { host, 'x-forwarded-proto': scheme! };
  return new Promise((done, failed) => {
    const asking = request({ agent, host: '127.0.0.1', port, path, headers }, (response) => {
      response.resume();
      response.on('error', failed);
      const { location } = response.headers;
      response.on('end', () => done(location === undefined ? null : decodeText(Buffer.from(location, 'latin1'))));
    });
    asking.on('error', (error) => {
      // A server may close a kept connection just when it is reused; then ask again.
      if (asking.reusedSocket) ask(agent, port, url).then(done, failed);
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

/** The rehearsal has no TLS, so the scheme comes from a header, as behind a proxy. */
function configureNginx(box: string, port: number, text: string): readonly string[] {
  writeFileSync(join(box, 'dustbuster.conf'), encodeText(text.replaceAll('$scheme', '$http_x_forwarded_proto')));
  const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (kind) => `${kind}_temp_path ${box}/${kind};`,
  );
  writeFileSync(
    join(box, 'nginx.conf'),
    `daemon off; worker_processes 1; pid ${box}/pid; error_log stderr error;
events {}
http {
  access_log off; keepalive_requests 1000000; large_client_header_buffers 4 64k;
  ${folders.join(' ')}
  server {
    listen 127.0.0.1:${port};
    include ${box}/dustbuster.conf;
    location / { return 204; }
  }
}
`,
  );
  return ['-p', box, '-c', join(box, 'nginx.conf'), '-e', 'stderr'];
}

const MODULES = [
  '/usr/lib/apache2/modules',
  '/usr/lib64/httpd/modules',
  '/usr/libexec/apache2',
  '/usr/local/apache2/modules',
];

function configureApache(box: string, port: number, text: string): readonly string[] {
  const file = text.replaceAll('%{REQUEST_SCHEME}', '%{HTTP:X-Forwarded-Proto}');
  writeFileSync(join(box, 'dustbuster.conf'), encodeText(file));
  const folder = MODULES.find((one) => existsSync(join(one, 'mod_rewrite.so')));
  if (folder === undefined) throw new UserError(`apache has no mod_rewrite: looked for it in ${MODULES.join(', ')}`);
  const modules = ['mpm_event', 'authz_core', 'rewrite', 'version', 'unixd']
    .filter((name) => existsSync(join(folder, `mod_${name}.so`)))
    .map((name) => `LoadModule ${name}_module ${folder}/mod_${name}.so`);
  const user = process.getuid?.() === 0 ? 'User nobody\nGroup nogroup\n' : '';
  writeFileSync(
    join(box, 'apache.conf'),
    `${modules.join('\n')}
${user}ServerName rehearsal.invalid
PidFile ${box}/pid
ErrorLog ${box}/said
DefaultRuntimeDir ${box}
Listen 127.0.0.1:${port}
AllowEncodedSlashes NoDecode
MaxKeepAliveRequests 0
LimitRequestLine 65000
<VirtualHost 127.0.0.1:${port}>
  Include ${box}/dustbuster.conf
  RewriteEngine On
  RewriteRule ^ - [R=204]
</VirtualHost>
`,
  );
  return ['-d', box, '-f', join(box, 'apache.conf'), '-DFOREGROUND'];
}

function configureVarnish(box: string, port: number, text: string): readonly string[] {
  writeFileSync(join(box, 'dustbuster.vcl'), encodeText(text));
  const rest = 'sub vcl_recv { return (synth(204)); }';
  writeFileSync(join(box, 'all.vcl'), `vcl 4.1;\nbackend default none;\ninclude "${box}/dustbuster.vcl";\n${rest}\n`);
  const memory = ['-s', 'malloc,16m', '-p', 'workspace_client=256k'];
  return ['-F', '-n', join(box, 'work'), '-a', `127.0.0.1:${port}`, ...memory, '-f', join(box, 'all.vcl')];
}
