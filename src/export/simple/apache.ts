// How does Apache say simple rules? As conditions on the URL that was asked for, and assignments; one rule redirects.
// mod_rewrite would match the decoded path without query, hence the variable.
import { sayRule } from '../heading.js';
import { nameEnvironment } from '../named.js';
import type { Exported, ExportRequest } from '../target.js';
import { statusOf } from '../web-promise.js';
import { DOTS } from './form.js';
import { simpleRules, type SimpleEdit } from './rules.js';
import { simpleHeading } from './usage.js';

const usage = `Include this file in the VirtualHost of the site (Apache 2.4 with mod_rewrite), before other rewrite rules; not in a
Directory block and not in .htaccess.
Behind a proxy that ends TLS, %{REQUEST_SCHEME} has to become what the proxy says (%{HTTP:X-Forwarded-Proto}).
A form that ends in ? or & is not redirected to.`;

export function writeSimpleApache(request: ExportRequest): Exported {
  const rules = simpleRules(request);
  const heading = simpleHeading(request, usage, rules);
  const lines = rules.edits.length === 0 ? [] : linesOf(request, rules.edits);
  const all = nameEnvironment([...heading, '', ...lines], request);
  return { text: `${all.join('\n')}\n`, carried: rules.carried, left: rules.left };
}

const url = '%{ENV:DUSTBUSTER}';
const asked = '%{ENV:DUSTBUSTER_ASKED}';

function linesOf(request: ExportRequest, edits: readonly SimpleEdit[]): readonly string[] {
  const isPath = request.urlForm === 'path';
  const form = isPath ? '%2' : '%1%2';
  const origin = isPath ? '%{REQUEST_SCHEME}://%{HTTP_HOST}' : '';
  const flags = `R=${statusOf(request)},NE,L`;
  return [
    'RewriteEngine On',
    'RewriteCond "%{REQUEST_SCHEME}://%{HTTP_HOST} %{THE_REQUEST}" "^([^ ]+) (?:GET|HEAD) (/[^ #]*) HTTP"',
    `RewriteRule ^ - "[E=DUSTBUSTER:${form},E=DUSTBUSTER_ASKED:${form}]"`,
    '',
    ...edits.flatMap(editLines),
    '',
    `RewriteCond "${url}" "${DOTS}"`,
    `RewriteRule ^ - "[E=DUSTBUSTER:${asked}]"`,
    `RewriteCond "${asked} ${url}" "!^([^ ]*) \\1$"`,
    `RewriteCond "${url}" "^([^?]+)$"`,
    `RewriteRule ^ "${origin}%1" [${flags},QSD]`,
    `RewriteCond "${asked} ${url}" "!^([^ ]*) \\1$"`,
    `RewriteCond "${url}" "^([^?]+)\\?(.*[^?&])$"`,
    `RewriteRule ^ "${origin}%1?%2" [${flags}]`,
  ];
}

function editLines({ rules, find, put }: SimpleEdit): readonly string[] {
  const value = put.map((piece) => (typeof piece === 'number' ? `%${piece}` : piece)).join('');
  return [
    ...rules.map((rule) => `# ${sayRule(rule)}`),
    `RewriteCond "${url}" "${find}"`,
    `RewriteRule ^ - "[E=DUSTBUSTER:${value}]"`,
  ];
}
