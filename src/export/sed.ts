// Rules as a sed script: the canonizer (canonize/canonizer) in a loop over the line: prepare, compare with the form of
// the round before, apply the rules, repeat. The hold space has the input line and the forms of its rounds:
//
//     hold    line as it came in \n form before round 1 \n form before round 2 …
//
// So a URL that is unsettled after the last round stays as it came in, and so do a form that grows too long and one
// that repeats.
import { encodeText } from '../base/bytes.js';
import { maxFormBytes } from '../canonize/limits.js';
import type { Rule, SitePolicy } from '../rule/rule.js';
import { isClean } from '../url/form.js';
import { carriable } from './carry.js';
import { headingLines } from './heading.js';
import { hasSubdomains, hasSuffixesBelow, isSite, SUFFIXES_BELOW } from './site-pattern.js';
import { whereItHolds } from './sed-condition.js';
import { normalizeCommands } from './sed-normalize.js';
import { sedRule } from './sed-rule.js';
import { block, HTTP, literal } from './sed-text.js';
import type { ExportRequest, Exported, LeftOut, Target } from './target.js';

const usage = `A script for sed -E, of GNU, BSD or macOS:

    LC_ALL=C sed -E -f rules.sed urls.txt > forms.txt

URLs come in one a line and go out as their canonical forms; a line that is no URL stays as it is.`;

export const sed: Target = {
  name: 'sed',
  summary: 'a script for sed -E: URLs in, canonical forms out',
  usage,
  write: writeScript,
};

interface Written {
  readonly rule: Rule;
  /** For the URLs of its site; '' for all. */
  readonly site: string;
  readonly commands: readonly string[];
}

function writeScript(request: ExportRequest): Exported {
  const written: Written[] = [];
  const unsaid: LeftOut[] = [];
  for (const [id, rule] of request.rules.entries()) {
    const said = guarded(rule, id, request);
    if (typeof said === 'string') unsaid.push({ rule, reason: said });
    else written.push(said);
  }
  const { carried, left: circular } = carriable(written, { isBounded: true });
  const left = [...unsaid, ...circular].sort((a, b) => a.rule.rank - b.rule.rank);
  const heading = headingLines(request, usage, left).map((line) => (line === '' ? '#' : `# ${line}`));
  const rules = siteBlocks(carried, request.sitePolicy);
  const text = [...heading, '', ...script(request, rules), ''].join('\n');
  return { text, carried: carried.map(({ rule }) => rule), left };
}

/** The site of a URL is determined again after a rule that may have changed it. */
function siteBlocks(carried: readonly Written[], policy: SitePolicy): readonly string[] {
  const lines: string[] = [];
  let open = '';
  for (const { rule, site, commands } of carried) {
    if (site !== open && open !== '') lines.push('}');
    if (site !== open && site !== '') lines.push(`${site}{`);
    open = site;
    lines.push(`# rule ${rule.rank}`, ...commands);
    if (open === '' || keepsSite(rule, policy)) continue;
    lines.push('}');
    open = '';
  }
  return open === '' ? lines : [...lines, '}'];
}

/** True for most rules; false if it is not obvious. */
function keepsSite(rule: Rule, policy: SitePolicy): boolean {
  if (rule.kind !== 'substring') return true;
  const { site, from, to, anchor } = rule;
  const isOfSite = (host: string | undefined) =>
    host !== undefined && (host === site || (policy === 'domain' && hasSubdomains(site) && host.endsWith(`.${site}`)));
  if (anchor === 'start' || anchor === 'both') return isOfSite(/^https?:\/\/([^/?#@:]*)[/?]/.exec(to)?.[1]);
  if (!/^[/?]/.test(to)) return false;
  if (from.startsWith('?')) return true;
  // After `http:/` it would have to be the host.
  const host = /^\/([^/?#@:]+)[/?]/.exec(from)?.[1];
  return host !== undefined && !isOfSite(host.toLowerCase());
}

function script({ normalization, urlForm, maxIterations }: ExportRequest, rules: readonly string[]): readonly string[] {
  const isPath = urlForm === 'path';
  return [
    `\\,^(/|${HTTP})[^[:cntrl:] ]*\r?$,!b`,
    'h',
    's,\r$,,',
    ':round',
    's,#.*,,',
    ...(normalization === 'safe' ? normalizeCommands : []),
    `\\,^.{${maxFormBytes + 1}},b leave`,
    'G',
    '# as the round before has left it',
    '\\,^([^\\n]*)\\n.*\\n\\1$,b settled',
    `\\,(\\n[^\\n]*){${maxIterations + 1}},b keep`,
    's,\\n.*,,',
    'H',
    ...(isPath ? [`s,^${HTTP}[^/?]*,,`] : []),
    '# from here on t asks whether a rule has changed anything',
    't rules',
    ':rules',
    ...rules,
    't changed',
    'x',
    '\\,^[^\\n]*\r\\n,s,$,\r,',
    's,.*\\n,,',
    'b',
    ':changed',
    ...(isPath ? restoreHost : []),
    'b round',
    '# the line as it came in',
    ':leave',
    'G',
    ':keep',
    's,^[^\\n]*\\n([^\\n]*).*,\\1,',
    'b',
    ':settled',
    's,^([^\\n]*)\\n[^\\n]*\r\\n.*,\\1\r,',
    's,\\n.*,,',
  ];
}

/** Rules of path form are applied to what follows the host, which is taken from the last form in the hold space. */
const restoreHost = ['G', `s,^([^\\n]*)\\n(.*\\n)?(${HTTP}[^/?]*)[^\\n]*$,\\3\\1,`, 's,\\n.*,,'];

/** The rule, for the URLs that it is for; or why it cannot be expressed. */
function guarded(rule: Rule, id: number, { urlForm, sitePolicy }: ExportRequest): Written | string {
  if (hasSuffixesBelow(rule.site, sitePolicy)) return SUFFIXES_BELOW;
  const asked = [...(rule.only ?? []), ...(rule.not ?? [])];
  const conditions = asked.map(({ is }) => String(is));
  const own = rule.kind === 'parameter' ? rule.path : rule.kind === 'step' ? rule.text : '';
  const texts = [rule.site, own, ...conditions, ...(rule.except ?? [])];
  // A newline would end the address, and sed would refuse the whole script.
  if (!texts.every((text) => isClean(encodeText(text)))) return 'is for URLs with a blank or a control character';
  const site = siteAddress(rule.site, sitePolicy, urlForm === 'path');
  if (site === undefined) return 'is for a site whose URLs never come here';
  const scope = rule.kind === 'parameter' ? scopeAddress(rule, urlForm === 'path') : '';
  if (scope === undefined) return 'is for a host, and URLs here have none';
  const { except = [] } = rule;
  if (urlForm === 'path' && except.length > 0) return 'leaves some URLs alone, and hosts are not looked at here';
  if (urlForm === 'path' && asked.some(({ part }) => part === 'host'))
    return 'is for a host, and hosts are not looked at here';
  const said = sedRule(rule, id, urlForm);
  if (said.kind === 'left') return said.reason;
  const others = except.length === 0 ? '' : `\\,^(${except.map(literal).join('|')})$,!`;
  return { rule, site, commands: block(scope, block(others, whereItHolds(rule, said.commands))) };
}

function siteAddress(site: string, policy: SitePolicy, isPath: boolean): string | undefined {
  if (site === '*') return '';
  if (isPath) return site === '' ? '' : undefined;
  if (policy === 'all' || (site !== '' && !isSite(site, policy))) return undefined;
  // A URL with an empty host has no site either.
  const orPath = site === '' ? '/|' : '';
  const host = Array.from(site, (char) => (/[a-z]/.test(char) ? `[${char}${char.toUpperCase()}]` : literal(char))).join(
    '',
  );
  const stop = '([/?#]|$)';
  if (policy === 'host') {
    const [plain, secure] = [HTTP.replace('[Ss]?', ''), HTTP.replace('?', '')];
    return `\\,^(${orPath}(${plain}([^/?#]*@)?${host}(:(80)?)?|${secure}([^/?#]*@)?${host}(:(443)?)?)${stop}),`;
  }
  const below = hasSubdomains(site) ? '([^/?#@]*\\.)?' : '';
  return `\\,^(${orPath}${HTTP}([^/?#]*@)?${below}${host}\\.?(:[0-9]*)?${stop}),`;
}

function scopeAddress({ scope, path }: Rule & { readonly kind: 'parameter' }, isPath: boolean): string | undefined {
  if (scope === 'site') return '';
  if (isPath && path.startsWith('//')) return undefined;
  const begin = path.startsWith('//') ? HTTP.slice(0, -2) : `(${HTTP}[^/?]*)?`;
  return `\\,^${begin}${literal(path)}${scope === 'path' ? '([;?]|$)' : ''},`;
}
