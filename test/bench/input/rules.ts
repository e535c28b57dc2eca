// Rules of every kind for the sites that input/site makes, and the same rules for sed and perl: with the token
// boundaries that a plain substitution does not have. None feeds another, so that one pass is the fixed point.
import type { Anchor } from '../../../src/rule/rule.js';

export type SpokenRule =
  | { readonly kind: 'substring'; readonly from: string; readonly to: string; readonly anchor: Anchor }
  | { readonly kind: 'remove'; readonly name: string }
  | { readonly kind: 'set'; readonly name: string; readonly value: string };

const none = (from: string, to: string): SpokenRule => ({ kind: 'substring', from, to, anchor: 'none' });

/** `count` rules: six that touch many URLs, then folders that have shorter names. */
export function rulesOf(domain: string, count: number): SpokenRule[] {
  const sections = ['news', 'blog', 'shop', 'sport', 'docs', 'people', 'music'];
  const folders = Array.from({ length: count - 6 }, (_, k) =>
    none(`/cat-${k % 40}/${sections[k % 7]!}/`, `/c${k % 40}/${k % 7}/`),
  );
  return [
    { kind: 'substring', from: `http://${domain}/`, to: `http://www.${domain}/`, anchor: 'start' },
    { kind: 'substring', from: '/index.html', to: '/', anchor: 'end' },
    none('story_', 'story?id='),
    { kind: 'remove', name: 'sid' },
    { kind: 'remove', name: 'print' },
    { kind: 'set', name: 'lang', value: 'und' },
    ...folders,
  ];
}

/** Rules that normalize-url has too. */
export function plainRules(domain: string): SpokenRule[] {
  return [
    { kind: 'substring', from: `http://www.${domain}/`, to: `http://${domain}/`, anchor: 'start' },
    { kind: 'substring', from: '/index.html', to: '/', anchor: 'end' },
    { kind: 'remove', name: 'sid' },
    { kind: 'remove', name: 'print' },
  ];
}

/** `rules` of each site as a rules file, with the head of a file written by the program. */
export function rulesFile(head: string, sites: ReadonlyMap<string, readonly SpokenRule[]>): string {
  const all = Array.from(sites, ([site, rules]) => rules.map((rule) => ({ site, ...filed(rule) }))).flat();
  const rules = all.map((rule, at) => ({ rank: at + 1, ...rule }));
  return JSON.stringify({ ...(JSON.parse(head) as object), rules });
}

function filed(rule: SpokenRule): object {
  const evidence = { status: 'valid', against: 0, confidence: 0.5, examples: [] };
  if (rule.kind === 'substring') return { ...rule, support: { low: 3, high: 3 }, ...evidence };
  return {
    kind: 'parameter',
    name: rule.name,
    action: rule.kind,
    value: rule.kind === 'set' ? rule.value : null,
    scope: 'site',
    path: '',
    support: { groups: 3, urls: 6 },
    chance: 0,
    ...evidence,
    // `lang` may be a choice, and is left as it is unless a user says so.
    ...(rule.kind === 'set' && { pin: true }),
  };
}

const RUN = 'A-Za-z0-9';
const literally = (text: string) => text.replace(/[.?*+^$|()[\]{}\\]/g, '\\$&');

/** A line of `sed -E`. A boundary inside a URL has to be matched and put back. */
export function inSed(rule: SpokenRule): string {
  if (rule.kind === 'remove') return `s#([?&])${rule.name}(=[^&]*)?(&|$)#\\1#;s#[?&]$##`;
  if (rule.kind === 'set') return `s#([?&]${rule.name}=)[^&]*#\\1${rule.value}#`;
  const { from, to, anchor } = rule;
  const left = anchor === 'start' ? '^()' : startsInRun(from) ? `(^|[^${RUN}])` : '()';
  const right = anchor === 'end' ? '()$' : endsInRun(from) ? `($|[^${RUN}])` : '()';
  return `s#${left}${literally(from)}${right}#\\1${to.replaceAll('&', '\\&')}\\2#`;
}

/** A statement of perl, on `$_`. */
export function inPerl(rule: SpokenRule): string {
  if (rule.kind === 'remove') return `s#([?&])${rule.name}(?:=[^&]*)?(?:&|$)#$1# && s#[?&]$##;`;
  if (rule.kind === 'set') return `s#([?&]${rule.name}=)[^&]*#$1${rule.value}#;`;
  const { from, to, anchor } = rule;
  const left = anchor === 'start' ? '^' : startsInRun(from) ? `(?<![${RUN}])` : '';
  const right = anchor === 'end' ? '$' : endsInRun(from) ? `(?![${RUN}])` : '';
  return `s#${left}${literally(from)}${right}#${to}#;`;
}

const startsInRun = (text: string) => new RegExp(`^[${RUN}]`).test(text);
const endsInRun = (text: string) => new RegExp(`[${RUN}]$`).test(text);
