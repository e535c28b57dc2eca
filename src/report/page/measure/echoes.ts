// Which parameters do the site's own pages copy into their links? A request whose referrer is a page of the same host with
// `p=v`, and which carries `p=v` on:
//
//   page     /catalogue/?page=2&fbclid=x        its visitor went on to
//   target   /catalogue/?page=3&fbclid=x        carried on
//            /catalogue/a-book_17/              not carried on
//
// Only parameters count that change nothing, as the table of parameters has it: known trackers, and others that enough
// comparisons show to be idle. A tracker that the table does not list is known by its name. The template
// of a page decides whether its links carry parameters, so these are counted together by template.
import { wilsonLower } from '../../../mine/rank.js';
import { knownKindOf } from '../../../url/names.js';
import { masked } from '../../../url/secret.js';
import type { EchoRow, LogFacts, ParameterRow } from '../model.js';
import { withoutEscapes } from '../../../url/escape.js';

/** What is known of the site. */
export interface EchoContext {
  readonly parameters: readonly ParameterRow[];
  /** URLs of the log. */
  readonly urls: readonly { readonly text: string }[];
  templateOf(url: string): string;
}

interface Pair {
  readonly page: string;
  readonly target: string;
}

interface Carried {
  carried: number;
  followed: number;
}

const MOST_PAIRS = 100_000;
const FEWEST_CARRIED = 5;
/** Lower ends of shares: of all idle parameters on pages of a template, and of one parameter on all pages. */
const [LEAST_OF_TEMPLATE, LEAST_OF_PARAMETER] = [0.025, 0.05];
const [FEWEST_COMPARISONS, FEWEST_PATHS] = [10, 5];
const MOST_TEMPLATES = 3;
const ABSOLUTE = /^https?:\/\/([^/?#]*)(.*)$/i;

/** Build (`add`), then ask (`finish`). */
export class EchoMeter {
  readonly #pairs = new Map<string, Pair>();

  /** True if there are enough pairs. */
  get isFull(): boolean {
    return this.#pairs.size >= MOST_PAIRS;
  }

  /** A request for a document, and its referrer, which has a query. */
  add(page: string, target: string): void {
    if (!this.isFull && page !== target) this.#pairs.set(`${page}\0${target}`, { page, target });
  }

  finish(context: EchoContext): Pick<LogFacts, 'echoes'> {
    const pairs = ownPairs([...this.#pairs.values()]);
    const isIdle = idleNames(context);
    const meter = new CarryMeter();
    for (const { page, target } of pairs) {
      const idle = [...fieldsOf(page)].filter(([name]) => isIdle(name));
      if (idle.length === 0) continue;
      const [template, onwards] = [context.templateOf(page), fieldsOf(target)];
      for (const [name, value] of idle) meter.add(name, template, { page, target }, onwards.get(name) === value);
    }
    const echoes = meter.rows();
    return echoes.length === 0 ? {} : { echoes };
  }
}

/** Pairs of one host. Where the log has no hosts, that of most referrers is the site's own. */
function ownPairs(pairs: readonly Pair[]): Pair[] {
  const hosts = new Map<string, number>();
  for (const { page } of pairs) {
    const host = hostOf(page);
    hosts.set(host, (hosts.get(host) ?? 0) + 1);
  }
  const [[own] = ['']] = [...hosts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  return pairs.flatMap(({ page, target }) => {
    const host = hostOf(target);
    if (hostOf(page) !== (host === '' ? own : host)) return [];
    return [{ page: host === '' ? ABSOLUTE.exec(page)![2]! : page, target }];
  });
}

function hostOf(url: string): string {
  return ABSOLUTE.exec(url)?.[1]?.toLowerCase() ?? '';
}

function fieldsOf(url: string): Map<string, string> {
  const fields = new Map<string, string>();
  const question = url.indexOf('?');
  if (question < 0) return fields;
  for (const field of url
    .slice(question + 1)
    .split('#', 1)[0]!
    .split(/[&;]/)) {
    const equals = field.indexOf('=');
    if (equals > 0 && equals < field.length - 1)
      fields.set(field.slice(0, equals), withoutEscapes(field.slice(equals + 1)));
  }
  return fields;
}

function idleNames({ parameters, urls }: EchoContext): (name: string) => boolean {
  const matters = new Set(parameters.flatMap(({ name, class: kind }) => (kind === 'irrelevant' ? [] : [name])));
  const judged = new Set(
    parameters.flatMap(({ name, class: kind, groups }) =>
      kind === 'irrelevant' && groups.same + groups.different >= FEWEST_COMPARISONS ? [name] : [],
    ),
  );
  const paths = new Map<string, Set<string>>();
  for (const { text } of judged.size === 0 ? [] : urls) {
    for (const name of fieldsOf(text).keys()) {
      if (judged.has(name)) paths.set(name, (paths.get(name) ?? new Set()).add(text.split('?', 1)[0]!));
    }
  }
  return (name) =>
    (knownKindOf(name) !== undefined && !matters.has(name)) || (paths.get(name)?.size ?? 0) >= FEWEST_PATHS;
}

interface Parameter extends Carried {
  readonly pages: Set<string>;
  readonly targets: Set<string>;
  readonly templates: Map<string, number>;
  example: readonly [string, string] | undefined;
}

/** How often parameters are carried on, by template and by name. */
class CarryMeter {
  readonly #templates = new Map<string, Carried>();
  readonly #parameters = new Map<string, Parameter>();

  add(name: string, template: string, { page, target }: Pair, isCarried: boolean): void {
    const ofTemplate = this.#templates.get(template) ?? { carried: 0, followed: 0 };
    this.#templates.set(template, ofTemplate);
    const parameter = this.#parameters.get(name) ?? emptyParameter();
    this.#parameters.set(name, parameter);
    ofTemplate.followed++;
    parameter.followed++;
    parameter.pages.add(page);
    if (!isCarried) return;
    ofTemplate.carried++;
    parameter.carried++;
    parameter.targets.add(target);
    parameter.templates.set(template, (parameter.templates.get(template) ?? 0) + 1);
    parameter.example ??= [page, target];
  }

  rows(): EchoRow[] {
    return Array.from(this.#parameters)
      .filter(([, one]) => isEcho(one, LEAST_OF_PARAMETER) || this.#templatesOf(one).length > 0)
      .map(([name, one]) => this.#row(name, one))
      .sort((a, b) => b.carried - a.carried || (a.name < b.name ? -1 : 1));
  }

  #row(name: string, { carried, followed, pages, targets, templates, example }: Parameter): EchoRow {
    const most = [...templates].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)).slice(0, MOST_TEMPLATES);
    const [page, target] = example!;
    return {
      name,
      followed,
      carried,
      growth: targets.size / pages.size,
      templates: most.map(([template]) => template),
      example: [masked(page), masked(target)],
    };
  }

  /** Templates of pages that carry parameters on, and carried this one. */
  #templatesOf({ templates }: Parameter): string[] {
    return [...templates.keys()].filter((template) => isEcho(this.#templates.get(template)!, LEAST_OF_TEMPLATE));
  }
}

function emptyParameter(): Parameter {
  return {
    carried: 0,
    followed: 0,
    pages: new Set(),
    targets: new Set(),
    templates: new Map(),
    example: undefined,
  };
}

function isEcho({ carried, followed }: Carried, least: number): boolean {
  return carried >= FEWEST_CARRIED && wilsonLower(carried, followed - carried) >= least;
}
