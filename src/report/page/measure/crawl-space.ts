// Which kinds of URLs waste the time of crawlers, in the classes that Google counts them by?
//
//   facets       parameters that filter or sort a list: every combination of them is another URL
//   actions      links that do something: fill a cart, answer a comment, log in; or show a page's history or backlinks
//   irrelevant   parameters without an effect on the page
//   calendars    of plug-ins: a page for every day, for ever
//   endless      paths that repeat a part of themselves: relative links that lead deeper each time
//
// Parameters are judged by the log first; actions and calendars only by name.
import { COLON, NUMBER_SIGN, QUESTION, SLASH } from '../../../base/ascii.js';
import { decodeText, sameRange } from '../../../base/bytes.js';
import { everySite, type Rule } from '../../../rule/rule.js';
import { accepts } from '../../../rule/standing.js';
import { knownKindOf } from '../../../url/names.js';
import {
  BARE_NUMBERS,
  type CrawlSpace,
  type CrawlSpaceKind,
  type ParameterRow,
  type SpaceParameter,
} from '../model.js';
import { isOfWholeSite } from './parameter-class.js';
import type { VisitedUrl } from './visits.js';

const words = (text: string) => new Set(text.split(' '));

const ACTIONS = words(
  'add-to-cart add_to_cart addtocart remove_item undo_item add_to_wishlist add-to-wishlist wishlist ' +
    'replytocom add_to_compare vote like share logout login returnto redirect_to return_url',
);
/** Parameters whose values name an action, and these values. */
const DOING = words('action do act cmd task op mode');
const DEEDS = words(
  'add edit delete remove login logout register reply vote buy print diff revert history revisions backlink',
);
const FACETS = words(
  'sort sortby sort_by order orderby order_by color colour size brand price min_price max_price price_min ' +
    'price_max filter filters facet facets rating availability',
);
const FACET_PREFIX = /^(?:(?:filter|facet|pa)[_[.-]|f\[)/;
const CALENDARS = words(
  'tribe-bar-date tribe_event_display eventdisplay ical outlook-ical calendar cal month year week day ai1ec',
);

/** Values that request another file type, as feeds: no filters, whatever their size. */
const FORMAT = /^(?:rss|atom|rdf|feed|xml|json|csv|tsv|ics|ical|pdf|epub|txt|raw)[\d._-]*$/i;

/** In the order of the list above. */
const KINDS: readonly CrawlSpaceKind[] = ['facets', 'actions', 'irrelevant', 'calendars', 'endless'];
const MOST_EXAMPLES = 5;

/** A rule in use, and how many URLs of the log it changes. */
interface AppliedRule {
  readonly rule: Rule;
  readonly touched?: number | undefined;
}

/** Build (`add`), then ask (`finish`). */
export class CrawlSpaceMeter {
  #urls = 0;
  #hits = 0;
  readonly #examples: string[] = [];

  /** Visited URLs come in any order: the examples are the first ones in the order of text. */
  add({ url, hits }: VisitedUrl): void {
    if (!repeatsItself(url)) return;
    this.#urls++;
    this.#hits += hits;
    this.#examples.push(decodeText(url));
    if (this.#examples.length > MOST_EXAMPLES) this.#examples.sort().pop();
  }

  /** The classes found in the log, for the listed parameters. `applied`: the rules in use. */
  finish(parameters: readonly ParameterRow[], applied: readonly AppliedRule[]): CrawlSpace[] {
    const kinds = parameters.map(kindOf);
    return KINDS.flatMap((kind): CrawlSpace[] => {
      if (kind === 'endless') return this.#urls === 0 ? [] : [this.#endless()];
      const own = parameters.filter((_, at) => kinds[at] === kind).toSorted((a, b) => b.hits - a.hits);
      if (own.length === 0) return [];
      return [{ kind, parameters: own.map((parameter) => spaceParameter(parameter, applied)) }];
    });
  }

  #endless(): CrawlSpace {
    const examples = this.#examples.toSorted();
    return { kind: 'endless', parameters: [], endless: { urls: this.#urls, hits: this.#hits, examples } };
  }
}

function spaceParameter(row: ParameterRow, applied: readonly AppliedRule[]): SpaceParameter {
  const { site, name, urls, hits, commonest, groups } = row;
  const isByValue = DOING.has(name.toLowerCase());
  const values = isByValue ? commonest.filter(isDeed) : commonest;
  const about = applied.filter(({ rule }) => isAbout(rule, row));
  const whole = about.find(({ rule, touched = 0 }) => isOfWholeSite(rule) || touched >= urls);
  const { rule } = whole ?? about[0] ?? {};
  return {
    site,
    name,
    urls,
    hits,
    values,
    isByValue,
    different: groups.different,
    changed: rule === undefined ? 'nowhere' : whole === undefined ? 'in places' : 'everywhere',
    ...(rule !== undefined && { rule: rule.rank, isProven: accepts(rule, 'valid') }),
  };
}

/** True if the rule removes or sets the parameter, or changes text that contains it. */
function isAbout(rule: Rule, { site, name }: ParameterRow): boolean {
  if (rule.site !== site && rule.site !== everySite && rule.site !== '') return false;
  switch (rule.kind) {
    case 'parameter':
      return rule.name === name;
    case 'substring':
      return hasField(rule.from, name);
    case 'pattern':
      return rule.pattern.includes(name);
    case 'step':
      return rule.step === 'drop-number-fields' && name === BARE_NUMBERS;
    default:
      return rule satisfies never;
  }
}

/** `page=` in `/list?page=1`. */
function hasField(text: string, name: string): boolean {
  return text.split(/[?&;]/).some((field) => field === name || field.startsWith(`${name}=`));
}

function kindOf({ name, class: kind, commonest }: ParameterRow): CrawlSpaceKind | undefined {
  const lower = name.toLowerCase();
  const does = DOING.has(lower) && commonest.some(isDeed);
  if (ACTIONS.has(lower) || does) return 'actions';
  if (kind === 'irrelevant') return 'irrelevant';
  if (CALENDARS.has(lower)) return 'calendars';
  // Campaign parameters are never filters, whatever the log seems to show: robots.txt must not keep crawlers away from
  // them.
  if (knownKindOf(name) !== undefined || commonest.some((value) => FORMAT.test(value))) return undefined;
  return kind === 'sorts' || kind === 'narrows' || FACETS.has(lower) || FACET_PREFIX.test(lower) ? 'facets' : undefined;
}

/** True if a field of the query is known to filter or sort a list, or to do something. */
export function choosesOrActs(query: string): boolean {
  return query.split(/[&;]/).some((field) => {
    const [name = '', value = ''] = field.toLowerCase().split('=', 2);
    if (ACTIONS.has(name) || (DOING.has(name) && isDeed(value))) return true;
    return FACETS.has(name) || FACET_PREFIX.test(name);
  });
}

function isDeed(value: string): boolean {
  return DEEDS.has(value.toLowerCase());
}

/** /a/b/a/b/a/b, /a/a/a: one or two segments, three times in a row. */
export function repeatsItself(url: Uint8Array): boolean {
  let start = 0;
  while (start < url.length && !isEnd(url[start]!) && url[start] !== SLASH) start++;
  const isAbsolute = start > 1 && url[start - 1] === COLON && url[start] === SLASH && url[start + 1] === SLASH;
  if (isAbsolute) for (start += 2; start < url.length && !isEnd(url[start]!) && url[start] !== SLASH;) start++;
  // The two previous segments, and how many segments in a row equal the one before, and the one before that.
  let [first, firstEnd, second, secondEnd] = [0, 0, 0, 0];
  let [ones, twos] = [0, 0];
  while (url[start] === SLASH) {
    const from = start + 1;
    let end = from;
    while (end < url.length && !isEnd(url[end]!) && url[end] !== SLASH) end++;
    const length = end - from;
    ones = length > 0 && length === secondEnd - second && sameRange(url, from, url, second, length) ? ones + 1 : 0;
    twos = length > 0 && length === firstEnd - first && sameRange(url, from, url, first, length) ? twos + 1 : 0;
    if (ones === 2 || twos === 4) return true;
    [first, firstEnd, second, secondEnd, start] = [second, secondEnd, from, end, end];
  }
  return false;
}

/** True for a byte that ends the path. */
function isEnd(byte: number): boolean {
  return byte === QUESTION || byte === NUMBER_SIGN;
}
