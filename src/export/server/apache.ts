// How does Apache make edits? RewriteCond lines test the requested URL, assignments keep the edited one, and one
// RewriteRule redirects. The URL is in a variable because mod_rewrite would match the decoded path without the query.
import type { Edit, Edits, Unit } from '../edits/edit.js';
import { sayRule } from '../heading.js';
import type { ExportRequest } from '../target.js';
import { nameEnvironment } from './named.js';
import { serverTarget, statusOf } from './promise.js';

const usage = `Include this file in the VirtualHost of the site (Apache 2.4 with mod_rewrite), before other rewrite rules; not in a
Directory block and not in .htaccess.
Behind a proxy that ends TLS, replace %{REQUEST_SCHEME} by the proxy's header (%{HTTP:X-Forwarded-Proto}).`;

const linkUsage = `${usage}
It needs mod_headers too.`;

export const apache = serverTarget({
  name: 'apache',
  summary: 'rewrite rules (mod_rewrite) for one redirect (301) to the canonical form',
  usage,
  linkUsage,
  linesOf,
  named: nameEnvironment,
});

const url = '%{ENV:DUSTBUSTER}';
const asked = '%{ENV:DUSTBUSTER_ASKED}';
const isNew = `RewriteCond "${asked} ${url}" "!^([^ ]*) \\1$"`;

function linesOf(request: ExportRequest, { units, guards }: Edits): readonly string[] {
  const isPath = request.urlForm === 'path';
  const form = isPath ? '%2' : '%1%2';
  return [
    'RewriteEngine On',
    'RewriteCond "%{REQUEST_SCHEME}://%{HTTP_HOST} %{THE_REQUEST}" "^([^ ]+) (?:GET|HEAD) (/[^ #]*) HTTP"',
    `RewriteRule ^ - "[E=DUSTBUSTER:${form},E=DUSTBUSTER_ASKED:${form}]"`,
    '',
    ...units.flatMap(unitLines),
    '',
    ...guards.flatMap((guard) => [`RewriteCond "${url}" "${guard}"`, `RewriteRule ^ - "[E=DUSTBUSTER:${asked}]"`]),
    ...ending(request, isPath ? '%{REQUEST_SCHEME}://%{HTTP_HOST}' : ''),
  ];
}

/** Splits query and path, as mod_rewrite needs them. With `isLink`, only successful answers get the header. */
function ending(request: ExportRequest, origin: string): readonly string[] {
  const flags = `R=${statusOf(request)},NE,L`;
  if (request.isLink === true) {
    return [
      isNew,
      `RewriteCond "${url}" '^([^<>"]+)$'`,
      `RewriteRule ^ - "[E=DUSTBUSTER_LINK:${origin}%1]"`,
      'Header add Link "<%{DUSTBUSTER_LINK}e>; rel=\\"canonical\\"" env=DUSTBUSTER_LINK',
    ];
  }
  return [
    isNew,
    `RewriteCond "${url}" "^([^?]+)$"`,
    `RewriteRule ^ "${origin}%1" [${flags},QSD]`,
    isNew,
    `RewriteCond "${url}" "^([^?]+)\\?(.*)$"`,
    `RewriteRule ^ "${origin}%1?%2" [${flags}]`,
  ];
}

function unitLines({ rules, edits }: Unit): readonly string[] {
  return [...rules.map((rule) => `# ${sayRule(rule)}`), ...edits.flatMap(editLines)];
}

function editLines({ find, put }: Edit): readonly string[] {
  const value = put.map((piece) => (typeof piece === 'number' ? `%${piece}` : piece)).join('');
  return [`RewriteCond "${url}" "${find}"`, `RewriteRule ^ - "[E=DUSTBUSTER:${value}]"`];
}
