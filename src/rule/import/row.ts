// Which rule does a row say? What it leaves out has a default, and its figures are zero.
import { encodeText } from '../../base/bytes.js';
import { isClean } from '../../url/form.js';
import { registrableDomain } from '../../url/public-suffix.js';
import type { RuleSaying } from '../identity.js';
import { brief } from '../json.js';
import { faultOf } from '../meaning.js';
import { everySite, type Rule } from '../rule.js';
import { STEP_NAMES } from '../step.js';
import { shown } from './expression-text.js';
import { type Liberty, meaningOfExpression } from './expression.js';
import type { Column, Row } from './table.js';

/** The words of a cell. The first is the default. */
const WORDS = {
  kind: ['substring', 'parameter', 'step', 'pattern', 'regex'],
  anchor: ['none', 'start', 'end', 'both'],
  status: ['likely', 'valid', 'invalid'],
  use: ['write', 'key'],
} as const;

/** Cells that only rows of these kinds have. */
const ONLY_OF: Readonly<Partial<Record<Column, readonly string[]>>> = {
  anchor: ['substring'],
  name: ['parameter', 'step'],
  to: ['substring', 'pattern', 'regex'],
};

type Cells = Row['cells'];

export interface ReadRule {
  readonly rule: RuleSaying;
  readonly liberties: ReadonlySet<Liberty>;
}

/** The rule of a row, or all of its faults. */
export function ruleOfRow({ cells }: Row): ReadRule | readonly string[] {
  const faults = faultsOfCells(cells);
  if (faults.length > 0) return faults;
  const said = sayingOf(cells);
  if (typeof said === 'string') return [said];
  const fault = faultOfSaying(said.rule);
  return fault === undefined ? said : [fault];
}

function faultsOfCells(cells: Cells): readonly string[] {
  const kind = kindOf(cells);
  const words = Object.entries(WORDS).flatMap(([column, known]) => {
    const got = cells[column as Column];
    const isKnown = got === undefined || (known as readonly string[]).includes(got);
    return isKnown ? [] : [`${column} is ${brief(got)}, expected ${known.join(', ')}`];
  });
  const idle = Object.entries(ONLY_OF).flatMap(([column, kinds]) => {
    const got = cells[column as Column];
    return got === undefined || kinds.includes(kind) || words.length > 0
      ? []
      : [`${column} is ${brief(got)}, expected nothing there in a row of kind ${kind}`];
  });
  const { confidence = '0', site } = cells;
  const isShare = /^(?:0|1|0?\.\d+|0\.|1\.0*)(?:e-\d+)?$/i.test(confidence) && Number(confidence) <= 1;
  const share = isShare ? [] : [`confidence is ${brief(confidence)}, expected a number from 0 to 1`];
  const place = site === undefined ? undefined : faultOfSite(site);
  return [...words, ...idle, ...share, ...(place === undefined ? [] : [place])];
}

function faultOfSite(site: string): string | undefined {
  if (site === everySite) return undefined;
  const isHost = !/[^\w.:[\]\-\u0080-\uffff]/.test(site) && site === site.toLowerCase();
  const domain = isHost ? registrableDomain(site) : undefined;
  if (domain === site) return undefined;
  const expected = domain === undefined ? 'a domain in lower case, or * for all' : `its registrable domain ${domain}`;
  return `site is ${brief(site)}, expected ${expected}`;
}

/** An expression says that it is one by ^ at its start. */
function kindOf({ kind, from = '' }: Cells): string {
  return (kind === undefined || kind === 'pattern') && from.startsWith('^') ? 'regex' : (kind ?? WORDS.kind[0]);
}

/** The fields that every rule has, with zeros. */
function headOf({ status, use, confidence, site }: Cells, from: string) {
  return {
    site: site ?? siteOf(from),
    status: (status ?? WORDS.status[0]) as Rule['status'],
    ...(use !== undefined && { use: use as NonNullable<Rule['use']> }),
    against: 0,
    confidence: Number(confidence ?? 0),
    examples: [],
  };
}

function sayingOf(cells: Cells): ReadRule | string {
  const { from = '', to = '', name } = cells;
  const kind = kindOf(cells);
  const head = headOf(cells, from);
  const exact = (rule: RuleSaying): ReadRule => ({ rule, liberties: new Set() });
  if (kind === 'regex') return sayingOfExpression(cells);
  if (kind === 'substring') {
    const anchor = (cells.anchor ?? 'none') as 'none';
    return exact({ ...head, kind, from, to, anchor, support: { low: 0, high: 0 } });
  }
  if (kind === 'pattern')
    return exact({ ...head, kind, pattern: from, template: to, support: { clusters: 0, urls: 0 } });
  if (kind === 'step') {
    const step = STEP_NAMES.find((one) => one === from);
    if (step === undefined) return `from is ${brief(from)}, expected the name of a step: ${STEP_NAMES.join(', ')}`;
    return exact({ ...head, kind, step, text: name ?? '', support: { urls: 0 } });
  }
  if (name !== undefined && from !== '' && from !== name)
    return `from is ${brief(from)}, expected nothing there, as the parameter is named ${brief(name)}`;
  return dropping(name ?? from, head, exact);
}

function dropping(
  name: string,
  head: ReturnType<typeof headOf>,
  exact: (rule: RuleSaying) => ReadRule,
): ReadRule | string {
  if (name === '') return 'name is empty, expected the parameter to drop';
  const where = { scope: 'site', path: '' } as const;
  const support = { groups: 0, urls: 0 };
  return exact({ ...head, kind: 'parameter', name, action: 'remove', value: null, ...where, support, chance: 0 });
}

function sayingOfExpression(cells: Cells): ReadRule | string {
  const { from = '', to = '', site } = cells;
  const meaning = meaningOfExpression(from, to);
  if (typeof meaning === 'string') return `regex ${shown(from)}: ${meaning}`;
  const { liberties } = meaning;
  if (meaning.kind === 'substring') {
    const { kind, anchor, except } = meaning;
    const head = headOf(meaning.isPath && site === undefined ? { ...cells, site: '' } : cells, meaning.from);
    const more = except === undefined ? {} : { except: [except] };
    const text = { kind, from: meaning.from, to: meaning.to, anchor };
    return { rule: { ...head, ...text, support: { low: 0, high: 0 }, ...more }, liberties };
  }
  const { kind, pattern, template } = meaning;
  const head = headOf(meaning.isPath && site === undefined ? { ...cells, site: '' } : cells, pattern);
  return { rule: { ...head, kind, pattern, template, support: { clusters: 0, urls: 0 } }, liberties };
}

/** The registrable domain of the host that a text or pattern begins with; every site if that is not a whole host. */
function siteOf(from: string): string {
  const host = /^(?:[a-z][a-z0-9+.-]*:)?\/\/(?:[^/?#@]*@)?([^/?#@:{}]+)(?::\d+)?[/?]/i.exec(from)?.[1];
  return host === undefined ? everySite : registrableDomain(host.toLowerCase().replace(/\.$/, ''));
}

function faultOfSaying(rule: RuleSaying): string | undefined {
  if (rule.kind === 'substring') {
    const strange = (['from', 'to'] as const).find(
      (side) => !isClean(encodeText(rule[side])) || rule[side].includes('#'),
    );
    if (strange !== undefined)
      return `${strange} is ${brief(rule[strange])}, expected text of URLs, which have no blank, control character or #`;
  }
  return faultOf({ ...rule, rank: 1 } as Rule);
}
