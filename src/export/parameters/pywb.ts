// Rules for pywb, the web archive player. If no capture has the requested URL, pywb applies `url_normalize` to its key
// and to the keys of captures, and takes a capture whose key is then the same. A key (SURT) is in lower case, with its
// fields in order:
//
//     com,example)/forum/list?id=7&sid=3
//
// (pywb 2.10, rules.yaml and warcserver/index/fuzzymatcher.py.)
import { headingLines } from '../heading.js';
import type { ExportRequest, Exported, Target } from '../target.js';
import { removalsOf, type Removal } from './removal.js';

const usage = `Fuzzy rules for pywb. Insert them into a copy of pywb's own rules.yaml (under site-packages/pywb), right below
"    url_normalize:", before the entries there, with the indentation of this file:
  sed '/^    url_normalize:/r this-file.yaml' .../pywb/rules.yaml > rules.yaml
Name the copy in pywb's config.yaml: "rules_file: rules.yaml". pywb uses these rules for a URL that was not captured
itself. Its keys are in lower case, so the case of names is ignored. For files with an extension, pywb always accepts
captures with another query.`;

/**
 * The indentation of entries of `url_normalize` in pywb's rules.yaml: YAML wants all entries of a list in one column.
 */
const INDENT = ' '.repeat(8);

export const pywb: Target = {
  name: 'pywb',
  summary: 'fuzzy rules for pywb: captures that differ in parameters without effect',
  usage,
  write(request: ExportRequest): Exported {
    const { removals, left } = removalsOf(request, ({ host, isBelow }) =>
      host === '' || isBelow ? undefined : 'holds for one host, but keys are the same for two (www.)',
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

/** Matches a run of fields: a key is sorted, so fields of one name stand side by side. */
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
