// Starts a real Apache and a real nginx on loopback that answer every path with 200 and log it in many formats at once.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const APACHE = '/usr/sbin/apache2';
export const NGINX = '/usr/sbin/nginx';

export const isInstalled = (server: string) => existsSync(server);

export interface Request {
  readonly target: string;
  readonly host: string;
  readonly agent: string;
}

export interface LogServer {
  readonly port: number;
  /** Returns the status. The bytes of the request are sent as they are, one for each character. */
  ask(request: Request): Promise<number>;
  /** Stops the server; then returns the log of each format, in their order. */
  stop(): Promise<Buffer[]>;
}

/** `formats` are the strings of LogFormat, as between quotes. */
export function startApache(formats: readonly string[]): Promise<LogServer> {
  return start(formats, (box, port) => {
    const user = process.getuid?.() === 0 ? 'User www-data\nGroup www-data\n' : '';
    const logs = formats.map((format, k) => `  CustomLog ${box}/log-${k} "${format}"`).join('\n');
    const modules = ['mpm_event', 'authz_core', 'alias'].map(
      (name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so\n`,
    );
    const config = `${modules.join('')}${user}ServerName www.test:${port}
PidFile ${box}/pid
ErrorLog ${box}/error.log
DefaultRuntimeDir ${box}
Listen 127.0.0.1:${port}
AllowEncodedSlashes On
<VirtualHost 127.0.0.1:${port}>
  DocumentRoot ${box}/www
  AliasMatch "^/.*" ${box}/www/index.html
  <Directory ${box}/www>
    Require all granted
  </Directory>
${logs}
</VirtualHost>
`;
    writeFileSync(join(box, 'apache.conf'), config);
    return [APACHE, '-d', box, '-f', join(box, 'apache.conf'), '-DFOREGROUND'];
  });
}

/** `formats` are what follows `log_format name`. */
export function startNginx(formats: readonly string[]): Promise<LogServer> {
  return start(formats, (box, port) => {
    const user = process.getuid?.() === 0 ? 'user www-data;\n' : '';
    const declared = formats.map((format, k) => `  log_format f${k} ${format};\n  access_log ${box}/log-${k} f${k};\n`);
    const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (name) => `  ${name}_temp_path ${box}/tmp;\n`,
    );
    const config = `${user}daemon off;
pid ${box}/pid;
error_log ${box}/error.log;
events {}
http {
${places.join('')}${declared.join('')}  server {
    listen 127.0.0.1:${port};
    server_name www.test;
    location / { return 200 "ok\\n"; }
  }
}
`;
    writeFileSync(join(box, 'nginx.conf'), config);
    return [NGINX, '-p', box, '-c', join(box, 'nginx.conf'), '-e', join(box, 'error.log')];
  });
}

async function start(
  formats: readonly string[],
  configure: (box: string, port: number) => string[],
): Promise<LogServer> {
  const box = mkdtempSync(join(tmpdir(), 'dustbuster-logs-'));
  mkdirSync(join(box, 'www'), { mode: 0o755 });
  writeFileSync(join(box, 'www', 'index.html'), 'ok\n');
  const [program, ...args] = configure(box, await freePort());
  const port = Number(
    /listen 127\.0\.0\.1:(\d+)/i.exec(
      readFileSync(
        args.find((arg) => arg.endsWith('.conf'))!,
        'utf8',
      ),
    )![1],
  );
  // The user that the server switches to has to reach its folder.
  const server = spawn('sh', ['-c', `chmod 711 "$0" && exec "$@"`, box, program!, ...args], { stdio: 'ignore' });
  const ended = new Promise<void>((done) => server.once('exit', () => done()));
  for (let tries = 0; !(await isListening(port)); tries++) {
    if (tries > 200 || server.exitCode !== null) {
      throw new Error(`${program} does not start: ${readFileSync(join(box, 'error.log'), 'utf8')}`);
    }
    await new Promise((done) => setTimeout(done, 50));
  }
  return {
    port,
    ask: (request) => ask(port, request),
    async stop() {
      server.kill('SIGTERM');
      await ended;
      const logs = formats.map((_, k) => readFileSync(join(box, `log-${k}`)));
      rmSync(box, { recursive: true, force: true });
      return logs;
    },
  };
}

function freePort(): Promise<number> {
  return new Promise((done) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => done(port));
    });
  });
}

function isListening(port: number): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect(port, '127.0.0.1', () => socket.destroy());
    socket.on('error', () => done(false)).on('close', (failed) => done(!failed));
  });
}

function ask(port: number, { target, host, agent }: Request): Promise<number> {
  return new Promise((done, failed) => {
    const socket = connect(port, '127.0.0.1');
    let text = '';
    socket.setEncoding('latin1').on('data', (chunk: string) => (text += chunk));
    socket.on('error', failed).on('end', () => done(Number(text.slice(9, 12))));
    const headers = `Host: ${host}\r\nUser-Agent: ${agent}\r\nReferer: http://r/${agent}\r\nConnection: close\r\n`;
    socket.write(Buffer.from(`GET ${target} HTTP/1.1\r\n${headers}\r\n`, 'latin1'));
  });
}
