// A key for Varnish's cache that leaves out parameters without effect. The backend still gets the URL as requested.
import { headingLines } from '../heading.js';
import type { Removal } from '../parameters/removal.js';
import type { ExportRequest, Exported, Target } from '../target.js';
import { changesSince, evidenceOf, exportedOf, placesOf, provenOf, type Place } from './proven.js';

const usage = `VCL 4.0 for Varnish 6 or later, included at the top level: a vcl_hash of its own. Pages are cached
under their URL without the parameters below; the site still gets the URL as requested. Only & separates fields.`;

export const varnishKey: Target = {
  name: 'varnish-key',
  isKey: true,
  summary: 'a cache key for Varnish: without parameters that were shown to have no effect',
  usage,
  write: writeVcl,
  check: (request, text) => changesSince(text, provenOf(request)),
};

const KEY = 'req.http.X-Dustbuster-Key';

function writeVcl(request: ExportRequest): Exported {
  const proven = provenOf(request);
  const heading = [...headingLines(request, usage, proven.left), '', ...evidenceOf(proven)];
  const text = `${heading.map((line) => `# ${line}`.trimEnd()).join('\n')}
sub vcl_hash {
  set ${KEY} = req.url;
${placesOf(proven)
  .map((place, at) => (at === 0 ? '  if' : ' elsif') + blockOf(place))
  .join('')}
  hash_data(${KEY});
  unset ${KEY};
  if (req.http.host) {
    hash_data(req.http.host);
  } else {
    hash_data(server.ip);
  }
  return (lookup);
}
`;
  return exportedOf(text, proven);
}

function blockOf({ at, names }: Place): string {
  const name = `(?:${names.map(quoted).join('|')})`;
  const conditions = [...conditionsOf(at), `${KEY} ~ "[?&]${name}(?:[=&]|$)"`];
  return ` (${conditions.join(' && ')}) {
    set ${KEY} = regsub(${KEY}, "\\?", "?&");
    set ${KEY} = regsuball(${KEY}, "&${name}(?:=[^&]*)?(?=&|$)", "");
    set ${KEY} = regsub(${KEY}, "\\?(?:&|$)", "?");
    set ${KEY} = regsub(${KEY}, "\\?$", "");
  }`;
}

function conditionsOf({ host, isBelow, path, isWhole }: Removal): readonly string[] {
  const port = host.includes(':') ? '' : '(?::[0-9]*)?';
  const authority = `"(?i)^${isBelow ? '(?:[^:]*\\.)?' : ''}${quoted(host)}${port}$"`;
  return [
    ...(host === '' ? [] : [`req.http.host ~ ${authority}`]),
    ...(path === '' ? [] : [`req.url ~ "^${quoted(path)}${isWhole ? '(?:\\?|$)' : ''}"`]),
  ];
}

function quoted(text: string): string {
  return text.replaceAll('.', '\\.');
}
