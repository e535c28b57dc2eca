// Campaign parameters that never vary alone. If no two URLs differ only in `utm_medium`, no group is evidence for it:
//
//   /a?utm_source=rss   /a?utm_source=news&utm_medium=email   /a?utm_source=x&utm_medium=social   /a
//
// Removing only `utm_source` would leave URLs with the other names, which nobody has requested. So these names become
// rules too, without groups of their own, if instances show that pages are the same without the whole campaign
// (mine/evidence).
import { decodeText } from '../base/bytes.js';
import { compileParameter, editFields } from '../rule/parameter.js';
import type { ParameterRule } from '../rule/rule.js';
import type { SiteUrls } from '../table/site-urls.js';
import { knownKindOf } from '../url/names.js';
import { NO_EVIDENCE } from './evidence.js';
import { likelinessOf } from './likeliness.js';
import type { Names } from './parameter-names.js';
import { rawUrl } from '../table/raw-url.js';
import { listScan } from './parameter-scan.js';

type Unranked = Omit<ParameterRule, 'rank'>;

const EXAMPLES = 3;

/** A rule for each name of a campaign that has none. */
export function companionsOf(urls: SiteUrls, names: Names, rules: readonly Unranked[]): Unranked[] {
  const ruled = new Set(rules.map(({ name }) => name));
  const rowsOf = new Map<number, number[]>();
  for (let number = 0; number < names.count; number++) {
    if (!names.isMined(number)) continue;
    const name = decodeText(names.name(number));
    if (!ruled.has(name) && knownKindOf(name) === 'campaign') rowsOf.set(number, []);
  }
  findRows(urls, names, rowsOf);
  return Array.from(rowsOf, ([number, rows]) => companion(urls, names, number, rows));
}

/** Finds the first rows with each of the names. They are in enough URLs to be found soon. */
function findRows(urls: SiteUrls, names: Names, rowsOf: ReadonlyMap<number, number[]>): void {
  let open = rowsOf.size;
  for (let row = 0; row < urls.count && open > 0; row++) {
    listScan.read(urls, row);
    for (let k = 0; k < listScan.count; k++) {
      const rows = rowsOf.get(names.find(listScan, k));
      if (rows === undefined || rows.length === EXAMPLES) continue;
      if (rows.push(row) === EXAMPLES) open--;
    }
  }
}

function companion(urls: SiteUrls, names: Names, number: number, rows: readonly number[]): Unranked {
  const name = decodeText(names.name(number));
  const saying = { name, action: 'remove', value: null, scope: 'site', path: '' } as const;
  const edit = compileParameter(saying);
  return {
    site: urls.site,
    kind: 'parameter',
    ...saying,
    status: 'likely',
    support: { groups: 0, urls: names.urls[number]! },
    against: 0,
    chance: 0,
    confidence: likelinessOf(NO_EVIDENCE, 'remove'),
    examples: rows.map((row) => {
      const url = rawUrl(urls, row);
      return [decodeText(url), decodeText(editFields(edit, url))] as const;
    }),
  };
}
