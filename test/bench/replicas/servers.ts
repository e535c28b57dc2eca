// How do nginx and Apache serve the hosts? Each by its name, on one port of 127.0.0.1; nginx also is the proxy by which
// wget finds all of them, so that no name has to be resolved.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const NGINX_PORT = 8141;
export const APACHE_PORT = NGINX_PORT + 1;

export interface Host {
  readonly name: string;
  readonly server: 'nginx' | 'apache';
  /** A line that the server adds to each page: at its end, or at its beginning. */
  readonly filter: 'above' | 'below' | undefined;
  /** Further names of the same host. */
  readonly names: readonly string[];
  readonly root: string;
}

export function writeServers(home: string, hosts: readonly Host[]): void {
  const full = (name: string) => `${name}.mirrors.test`;
  const namesOf = ({ name, names }: Host) => [name, ...names].map(full);
  const ofServer = (server: Host['server']) => hosts.filter((host) => host.server === server);
  const nginx = ofServer('nginx').map(
    (host) => `  server {
    listen 127.0.0.1:${NGINX_PORT};
    server_name ${namesOf(host).join(' ')};
    root ${host.root};
    index index.html index.htm;
    autoindex on;
${host.filter === undefined ? '' : `    sub_filter '</body>' '<hr><p>This mirror is run by ${host.name}.mirrors.test.</p></body>';\n`}  }
`,
  );
  writeFileSync(
    join(home, 'nginx.conf'),
    `user www-data;
pid ${home}/run/nginx.pid;
error_log ${home}/run/nginx-error.log;
worker_processes 1;
events { worker_connections 512; }
http {
  include /etc/nginx/mime.types;
  access_log off;
  server_names_hash_bucket_size 128;
  client_body_temp_path ${home}/run/body;
  proxy_temp_path ${home}/run/proxy;
  fastcgi_temp_path ${home}/run/fastcgi;
  uwsgi_temp_path ${home}/run/uwsgi;
  scgi_temp_path ${home}/run/scgi;
  server {
    listen 127.0.0.1:${NGINX_PORT} default_server;
    location / {
      proxy_set_header Host $http_host;
      proxy_pass http://127.0.0.1:${APACHE_PORT};
    }
  }
${nginx.join('')}}
`,
  );
  const apache = ofServer('apache').map(
    (host) => `<VirtualHost 127.0.0.1:${APACHE_PORT}>
  ServerName ${full(host.name)}
  DocumentRoot ${host.root}
${
  host.filter === undefined
    ? ''
    : `  AddOutputFilterByType SUBSTITUTE text/html
  Substitute "s|(<body[^>]*>)|$1<p>A mirror of ${host.name}.mirrors.test: <a href=/>all of it</a></p>|i"
  SubstituteMaxLineLength 10m
`
}</VirtualHost>
`,
  );
  const modules = ['mpm_event', 'authz_core', 'dir', 'mime', 'autoindex', 'alias', 'filter', 'substitute'];
  writeFileSync(
    join(home, 'apache.conf'),
    `ServerRoot /usr/lib/apache2
${modules.map((name) => `LoadModule ${name}_module modules/mod_${name}.so`).join('\n')}
PidFile ${home}/run/apache.pid
ErrorLog ${home}/run/apache-error.log
ServerName apache.mirrors.test
Listen 127.0.0.1:${APACHE_PORT}
TypesConfig /etc/mime.types
DirectoryIndex index.html index.htm
User www-data
Group www-data
<Directory />
  Options Indexes FollowSymLinks
  Require all granted
</Directory>
${apache.join('')}`,
  );
  const lines = hosts.flatMap((host) =>
    namesOf(host).map((name) => `${name}:${host.server === 'nginx' ? NGINX_PORT : APACHE_PORT}\n`),
  );
  writeFileSync(join(home, 'hosts.txt'), lines.join(''));
}
