// Rules for pywb, the web archive player: where no capture has the URL that was asked for, it looks for one whose key
// is the same once `url_normalize` has been applied to both. A key (SURT) is in lower case, with its fields in order:
//
//     com,example)/forum/list?id=7&sid=3
//
// (pywb 2.10, rules.yaml and warcserver/index/fuzzymatcher.py.)
import { headingLines } from '../heading.js';
import type { ExportRequest, Exported, Target } from '../target.js';
import { removalsOf, type Removal } from './removal.js';

const usage = `Fuzzy rules for pywb. They belong into a copy of the rules.yaml that pywb comes with (under site-packages/pywb),
right below "    url_normalize:", before the entries there; this file is indented as it is:
  sed '/^    url_normalize:/r this-file.yaml' .../pywb/rules.yaml > rules.yaml
and the config.yaml of pywb names the copy: "rules_file: rules.yaml". They are asked where a URL itself was not
captured. Keys are in lower case, so names are taken in any case; for files with an extension, pywb by itself takes
captures that differ anywhere in the query.`;

/** Of the entries of `url_normalize` in pywb's rules.yaml: YAML wants all entries of a list in one column. */
const INDENT = ' '.repeat(8);

export const pywb: Target = {
  name: 'pywb',
  summary: 'fuzzy rules for pywb: captures that differ in parameters without effect',
  usage,
  write(request: ExportRequest): Exported {
    const { removals, left } = removalsOf(request, ({ host, isBelow }) =>
      host === '' || isBelow ? undefined : 'is for one host, whose keys another has (www.)',
    );
    const entries = removals.length === 0 ? [] : [...removals.map(patternOf), '[?&]+$'];
    const lines = [
      ...headingLines(request, usage, left).map((line) => `# ${line}`.trimEnd()),
      ...[...new Set(entries)].flatMap((match) => [
        `${INDENT}- match: '${match}'`,
        `${INDENT}  replace: '${match.startsWith('^') ? '\\1' : ''}'`,
      ]),
      '',
    ];
    return { text: lines.join('\n'), carried: removals.map(({ rule }) => rule), left };
  },
};

/** Fields of one name stand side by side. */
function patternOf({ name, host, path, isWhole }: Removal): string {
  const quoted = (text: string) => text.toLowerCase().replaceAll('.', '\\.');
  // A rule for a host also holds for hosts below it, on any port.
  const authority = host === '' ? '[^)]*' : `${reversed(host)}(?:,[^):]*)?(?::[0-9]+)?`;
  const place = path === '' ? '/[^?]*' : `${quoted(path)}${isWhole ? '' : '[^?]*'}`;
  return `^(${authority}\\)${place}\\?(?:.*?&)??)(?:${quoted(name)}(?:=[^&]*)?(?:&|$))+`;
}

function reversed(host: string): string {
  return host.split('.').reverse().join(',');
}
