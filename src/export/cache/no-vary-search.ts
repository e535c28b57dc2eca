// The No-Vary-Search header, by which a site tells browsers and caches which parameters of a query have no effect:
//
//     No-Vary-Search: params=("fbclid" "sid"), key-order
//
// With `key-order`, queries are compared as if their fields were sorted by name, those of one name in their own order:
// that is the step sort-fields.
// The export is for nginx, by host and path. (The No-Vary-Search HTTP Caching Extension, draft-ietf-httpbis-
// no-vary-search-10, as Chrome reads it.) Only names of letters, digits and `_.~-` are exported, so no string needs
// escapes.
import { headingLines } from '../heading.js';
import { ORDER, type Removal } from '../parameters/removal.js';
import type { ExportRequest, Exported, Target } from '../target.js';
import { changesSince, evidenceOf, exportedOf, placesOf, provenOf, type Place, type Proven } from './proven.js';

const usage = `The header No-Vary-Search, for the block http of nginx; other servers can send the same values. Browsers
that know it (Chrome) and caches then treat URLs as one that differ in these parameters only, or in the order of
parameters where it has no effect (key-order).`;

const DRAFT = 'draft-ietf-httpbis-no-vary-search-10';

export const noVarySearch: Target = {
  name: 'no-vary-search',
  isKey: true,
  summary: 'the header No-Vary-Search: parameters, and their order, that were shown to have no effect',
  usage,
  write: writeHeaders,
  check: (request, text) => changesSince(text, provenHere(request)),
};

function provenHere(request: ExportRequest): Proven {
  const refuse = ({ host }: Removal) => (host.includes(':') ? 'is for a host with a port' : undefined);
  return provenOf(request, { ignoresOrder: true, refuse });
}

function writeHeaders(request: ExportRequest): Exported {
  const proven = provenHere(request);
  const heading = [...headingLines(request, `${usage}\nFormat: ${DRAFT}.`, proven.left), '', ...evidenceOf(proven)];
  const lines = placesOf(proven).map((place) => `  "~${patternOf(place)}" '${headerOf(place)}';`);
  const text = [
    ...heading.map((line) => `# ${line}`.trimEnd()),
    'map $host$uri $dustbuster_no_vary_search {',
    '  default "";',
    ...lines,
    '}',
    'add_header No-Vary-Search $dustbuster_no_vary_search;',
    '',
  ];
  return exportedOf(text.join('\n'), proven);
}

export function headerOf({ names }: Pick<Place, 'names'>): string {
  const params = names.filter((name) => name !== ORDER).map((name) => `"${name}"`);
  return [
    ...(params.length > 0 ? [`params=(${params.join(' ')})`] : []),
    ...(names.includes(ORDER) ? ['key-order'] : []),
  ].join(', ');
}

/** An expression for nginx's `$host$uri` at this place. */
function patternOf({ at: { host, isBelow, path, isWhole } }: Place): string {
  const quote = (text: string) => text.replaceAll('.', '\\.');
  const name = host === '' ? '[^/]*' : `${isBelow ? '(?:[^/]*\\.)?' : ''}${quote(host)}`;
  return `^${name}${path === '' ? '/' : quote(path)}${isWhole ? '$' : ''}`;
}
