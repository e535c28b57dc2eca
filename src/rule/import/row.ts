// Which rule does a row say? What it leaves out has a default, and its figures are zero.
import { decodeText, encodeText } from '../../base/bytes.js';
import { isClean } from '../../url/form.js';
import { registrableDomain } from '../../url/public-suffix.js';
import { compileRule, imageOf } from '../apply.js';
import type { RuleSaying } from '../identity.js';
import { brief } from '../json.js';
import { faultOf } from '../meaning.js';
import { everySite, type Rule } from '../rule.js';
import { STEP_NAMES } from '../step.js';
import { shown } from './expression-text.js';
import { meaningOfExpression } from './expression.js';
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

/** The rule of a row, or all of its faults. */
export function ruleOfRow({ cells }: Row): RuleSaying | readonly string[] {
  const faults = faultsOfCells(cells);
  if (faults.length > 0) return faults;
  const said = sayingOf(cells);
  if (typeof said === 'string') return [said];
  const fault = faultOfSaying(said);
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

/** A `from` that begins with ^ is a regular expression. */
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

function sayingOf(cells: Cells): RuleSaying | string {
  const { from = '', to = '', name } = cells;
  const kind = kindOf(cells);
  const head = headOf(cells, from);
  if (kind === 'regex') return sayingOfExpression(cells);
  if (kind === 'substring') {
    const anchor = (cells.anchor ?? 'none') as 'none';
    return { ...head, kind, from, to, anchor, support: { low: 0, high: 0 } };
  }
  if (kind === 'pattern') return { ...head, kind, pattern: from, template: to, support: { clusters: 0, urls: 0 } };
  if (kind === 'step') {
    const step = STEP_NAMES.find((one) => one === from);
    if (step === undefined) return `from is ${brief(from)}, expected the name of a step: ${STEP_NAMES.join(', ')}`;
    return { ...head, kind, step, text: name ?? '', support: { urls: 0 } };
  }
  if (name !== undefined && from !== '' && from !== name)
    return `from is ${brief(from)}, expected nothing there, as the parameter is named ${brief(name)}`;
  return dropping(name ?? from, head);
}

function dropping(name: string, head: ReturnType<typeof headOf>): RuleSaying | string {
  if (name === '') return 'name is empty, expected the parameter to drop';
  const where = { scope: 'site', path: '' } as const;
  const support = { groups: 0, urls: 0 };
  return { ...head, kind: 'parameter', name, action: 'remove', value: null, ...where, support, chance: 0 };
}

function sayingOfExpression(cells: Cells): RuleSaying | string {
  const { from = '', to = '', site } = cells;
  const meaning = meaningOfExpression(from, to);
  if (typeof meaning === 'string') return `regex ${shown(from)}: ${meaning}`;
  if (meaning.isPath && site !== undefined)
    return `site is ${brief(site)}, expected nothing there: ^/ holds for URLs without a host; kind pattern takes paths of a site`;
  const text = meaning.kind === 'substring' ? meaning.from : meaning.pattern;
  const head = headOf(meaning.isPath ? { ...cells, site: '' } : cells, text);
  if (meaning.kind === 'substring') {
    const { kind, anchor, to: image, except } = meaning;
    const more = except === undefined ? {} : { except: [except] };
    return { ...head, kind, from: text, to: image, anchor, support: { low: 0, high: 0 }, ...more };
  }
  const { kind, template } = meaning;
  return { ...head, kind, pattern: text, template, support: { clusters: 0, urls: 0 } };
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
  return faultOf({ ...rule, rank: 1 } as Rule) ?? (rule.kind === 'pattern' ? faultOfRepeating(rule) : undefined);
}

/** A pattern applies until nothing changes: one that matches its own result and never shortens it would never stop. */
function faultOfRepeating(rule: Extract<RuleSaying, { kind: 'pattern' }>): string | undefined {
  let copies = 0;
  const path = rule.pattern.replace(/[?&]\{\*\}$/, '').replaceAll(/\{[^{}]*\}/g, () => String(++copies));
  const compiled = compileRule({ ...rule, rank: 1 } as Rule);
  const image = imageOf(compiled, encodeText(path.startsWith('//') ? `http:${path}` : path), 0);
  const again = imageOf(compiled, image, 0);
  if (again.length < image.length || decodeText(again) === decodeText(image)) return undefined;
  return `the result ${shown(decodeText(image))} becomes ${shown(decodeText(again))}, expected a form that the rule leaves alone`;
}
