// Which choices do URLs combine, and what of it is waste? Lists inside of one part of a URL are found by their own
// grammar (mine/lists). For choices in several parameters the classes of these decide: such a parameter changes the
// page, has few values, and is no pager, order, tracker or search word.
import { listFacts, type ListMeasures } from '../../../mine/lists/facts.js';
import { fieldChoices } from '../../../mine/lists/fields.js';
import { type ListedUrl, ListSample, sketchHash } from '../../../mine/lists/sample.js';
import type { SiteOf } from '../../../table/url-list.js';
import { isOrderName, knownKindOf } from '../../../url/names.js';
import { masked } from '../../../url/secret.js';
import type { LogFacts, ParameterRow } from '../model.js';
import type { VisitedUrl } from './visits.js';

const [FEWEST_VALUES, MOST_VALUES] = [2, 60];
/** Names of parameters that choose a part of a list, and of those that people type words into. */
const NO_CHOICE =
  /^(?:p|pg|pages?|page_?no|paged|start|offset|from|skip|limit|per_?page|count|q|s|search|query|keywords?|text)$/i;

/** Build (`add`), then ask (`finish`). */
export class ListMeter {
  readonly #siteOf: SiteOf;
  readonly #sample = new ListSample();

  constructor(siteOf: SiteOf) {
    this.#siteOf = siteOf;
  }

  add({ url, hits, minSize, maxSize, sketch }: VisitedUrl): void {
    const site = this.#siteOf(url, 0, url.length);
    this.#sample.add(url, { site, hits, minSize, maxSize, sketch: sketchHash(sketch, 0, sketch.length) });
  }

  /** The URLs that are looked at. */
  urls(): readonly ListedUrl[] {
    return this.#sample.urls();
  }

  /** `parameters`: the listed ones, with their classes. `urls`: those that are looked at. */
  finish(parameters: readonly ParameterRow[], urls: readonly ListedUrl[]): Pick<LogFacts, 'lists'> {
    const { share } = this.#sample;
    const inside = listFacts(urls);
    const taken = new Set(inside.map(({ site, place }) => `${site}\0${place.name}`));
    const bySite = new Map<string, Set<string>>();
    for (const row of parameters) {
      if (!isChoice(row) || taken.has(`${row.site}\0${row.name}`)) continue;
      bySite.set(row.site, (bySite.get(row.site) ?? new Set()).add(row.name));
    }
    const across = Array.from(bySite).flatMap(([site, names]) =>
      names.size < 2 ? [] : (fieldChoices(site, urls, names) ?? []),
    );
    if (inside.length + across.length === 0) return {};
    const lists = { inside: inside.map(shared), across: across.map(shared), ...(share < 1 && { share }) };
    return { lists };
  }
}

/** Without values of visitors, as a report is passed on. */
function shared<Facts extends ListMeasures>(facts: Facts): Facts {
  return { ...facts, examples: facts.examples.map(masked) };
}

function isChoice({ name, class: kind, values, areMore }: ParameterRow): boolean {
  if (kind !== 'narrows' && kind !== 'changes') return false;
  if (areMore || values < FEWEST_VALUES || values > MOST_VALUES) return false;
  return !NO_CHOICE.test(name) && !isOrderName(name) && knownKindOf(name) === undefined;
}
