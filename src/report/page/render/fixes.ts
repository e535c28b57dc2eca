// What should be done? The fixes that save most, each with what it does on this log and with lines to copy; and, in print,
// all of them on the first page.
import { heldNames } from '../../../rule/held-back.js';
import { isDecided } from '../../rule-words.js';
import type {
  Asked,
  Fix,
  FixLines,
  FixTotals,
  LogFacts,
  ReportModel,
  ToProve,
  UnproposedFix,
  UnprovenFix,
} from '../model.js';
import { answerOf, effectWords, notMadeWords } from './answer.js';
import { commandOf, linesCommandOf, mineCommandOf, proofCommandOf } from './commands.js';
import { type Html, markup, NOTHING, shown, worded, FORMATS } from './html.js';
import { siteName } from './sites.js';

const { bytes, count, many, share } = FORMATS;

/** So many fixes are shown in full. */
const MOST_OPEN = 5;

export function fixesHtml(model: ReportModel, log: LogFacts, asked: Asked): Html {
  const { rules, toProve } = model;
  const { fixes, fixed } = log;
  const text =
    fixes.length === 0 || fixed === undefined
      ? markup`<p>${asked === 'nothing' ? 'Nothing yet: no rule is applied.' : 'Nothing: no rule that is applied would have saved a hit.'}</p>`
      : markup`<p>${togetherText(log, fixed)}</p>
<p>The lines of any fix work alone, and those of all of them together in one server. They redirect by 302, which
browsers do not keep: write 301 when some weeks have passed without complaints.${
          fixes.every(({ isProven }) => isProven) ? '' : markup` ${unprovenHtml(model)}`
        }</p>
<ol class="fixes">${fixes.slice(0, MOST_OPEN).map((fix, at) => fixHtml(fix, at, log, model))}</ol>
${moreHtml(log, model)}`;
  return markup`<section id="fixes" aria-labelledby="fixes-head"><h2 id="fixes-head">What to do</h2>
${text}
${toProve === undefined ? NOTHING : toProveHtml(toProve, log)}${heldHtml(rules, log)}${unproposedHtml(log)}</section>`;
}

/** Parameters that may mean money or choice: equal pages prove nothing about them, so the owner decides. */
function heldHtml(rules: ReportModel['rules'], { parameters }: LogFacts): Html {
  const held = new Set(rules.flatMap(({ rule }) => (isDecided(rule) ? [] : heldNames(rule))));
  if (held.size === 0) return NOTHING;
  const rows = [...held].map((name) => {
    const same = parameters.filter((row) => row.name === name);
    const sum = (of: 'urls' | 'hits') => same.reduce((total, row) => total + row[of], 0);
    const counts = same.length === 0 ? '' : `: ${many(sum('urls'), 'URL')}, ${many(sum('hits'), 'hit')}`;
    return markup`<li><code>${shown(name, 100)}</code>${counts}</li>
`;
  });
  return markup`<h3 id="held">Yours to decide: may mean money or choice</h3>
<p>Affiliates are paid by such parameters, and visitors choose a language or a currency by them, so equal pages prove nothing. No
redirect drops them until you say so: <code>dustbuster pin RULES NAME</code>, or <code class="flag">mine --write NAME</code>.
<code>dustbuster veto RULES NAME</code> keeps them everywhere, and this list without them.</p>
<ul>${rows}</ul>
`;
}

/** The fixes beyond the first, closed. */
function moreHtml(log: LogFacts, model: ReportModel): Html {
  const more = log.fixes.slice(MOST_OPEN);
  if (more.length === 0) return NOTHING;
  return markup`<details><summary>${count(more.length)} more that save less</summary>
<ol class="fixes" start="${MOST_OPEN + 1}">${more.map((fix, at) => fixHtml(fix, MOST_OPEN + at, log, model))}</ol></details>
`;
}

/** All fixes in a few lines, for the first printed page. */
function briefHtml({ log }: ReportModel): Html {
  const { fixes = [] } = log ?? {};
  if (log === undefined || fixes.length === 0) return NOTHING;
  const heads = ['change', 'redirects', 'pages not made', ...(log.hasSizes ? ['bytes'] : []), 'sure'];
  const rows = fixes.map(
    (
      fix,
      at,
    ) => markup`<tr><td>${at + 1}. ${worded(fix.title, 200)}${partsCount(fix)}</td><td class="number">${many(fix.redirected.hits, 'hit')}</td>
<td class="number">${count(fix.hits)}</td>${log.hasSizes ? markup`<td class="number">${bytes(fix.bytes)}</td>` : NOTHING}<td>${fix.isProven ? 'proven' : `likely, ${fix.confidence.toFixed(3)}`}</td></tr>
`,
  );
  return markup`<div class="brief"><table class="plain"><caption>What to do</caption>
<thead><tr>${heads.map((head) => markup`<th scope="col">${head}</th>`)}</tr></thead><tbody>${rows}</tbody></table></div>
`;
}

/** The three sentences, and what stands below them in print. */
export function answerHtml(model: ReportModel): Html {
  const { cost, change, sure } = answerOf(model);
  const said = [cost, change, sure].filter((sentence) => sentence !== '');
  return markup`<div class="answer">${said.map(
    (sentence) => markup`<p>${worded(sentence, 1000)}</p>
`,
  )}</div>
${briefHtml(model)}`;
}

function unprovenHtml(model: ReportModel): Html {
  return markup`Before you redirect by a likely rule, ask the pages: <code>${shown(proofCommandOf(model), 1000)}</code>.`;
}

const CAMPAIGNS = markup`<p>Scripts of the page that count campaigns no longer see a parameter that a redirect takes out: if you count
so, use rel=canonical instead.</p>
`;

const MOST_UNPROVEN = 5;

function toProveHtml(toProve: ToProve, log: LogFacts): Html {
  const { time } = toProve;
  const { unproven = [] } = log;
  const rules = Math.max(toProve.rules, unproven.length);
  if (rules === 0) return NOTHING;
  return markup`<h3 id="to-prove">To be proved: <code>mine --fetch</code>, about ${time}</h3>
<p>The log suggests ${many(rules, 'more rule')}, but its sizes cannot prove them: a list in another order is as long
to the byte, a page in another language nearly so. Never redirect by these before the pages were asked:</p>
<pre tabindex="0"><code>${shown(commandOf(toProve), 1000)}</code></pre>
${unproven.length === 0 ? NOTHING : markup`<p>Among what it would ask:</p><ul>${unproven.slice(0, MOST_UNPROVEN).map((one) => unprovenItem(one, log))}</ul>`}
`;
}

function unprovenItem({ title, site, rules: [first], saved, confidence }: UnprovenFix, { sites }: LogFacts): Html {
  const where = sites.length > 1 ? markup` on ${siteName(site)}` : NOTHING;
  return markup`<li>${worded(title, 300)}${where}: ${many(saved, 'URL')} fewer, confidence ${confidence.toFixed(3)} (<a
href="#rule-${first!}">rule ${first!}</a>)</li>
`;
}

const MOST_UNPROPOSED = 5;

function unproposedHtml(log: LogFacts): Html {
  const { unproposed = [] } = log;
  if (unproposed.length === 0) return NOTHING;
  const more = unproposed.length - MOST_UNPROPOSED;
  return markup`<h3>Not proposed</h3>
<p>These likely rules would redirect far more URLs than they make one: most of those are the only address of their page in
this log. If the site uses the other form, turn the rule round (<code class="flag">dustbuster turn</code>), or veto it.</p>
<ul>${unproposed.slice(0, MOST_UNPROPOSED).map((one) => unproposedItem(one, log))}</ul>
${more > 0 ? markup`<p>And ${many(more, 'other')}.</p>` : NOTHING}`;
}

function unproposedItem({ title, site, rules: [first], touched, saved }: UnproposedFix, { sites }: LogFacts): Html {
  const where = sites.length > 1 ? markup` on ${siteName(site)}` : NOTHING;
  return markup`<li>${worded(title, 300)}${where}: changes ${many(touched, 'URL')}, and leaves ${count(saved)} fewer (<a
href="#rule-${first!}">rule ${first!}</a>)</li>
`;
}

/** What the lines of all fixes together change on this log. */
function togetherText({ fixes, all }: LogFacts, fixed: FixTotals): string {
  const { hits, redirected } = fixed;
  const these = fixes.length === 1 ? 'This fix redirects' : `Together these ${fixes.length} fixes redirect`;
  const part = all.hits === 0 ? '' : ` (${share(hits / all.hits)} of all)`;
  return (
    `${these} ${many(redirected.hits, 'hit')} of this log on ${many(redirected.urls, 'URL')}. A redirect is a hit too: ` +
    `what they save is pages, as the log has the same page under another URL. ${notMadeWords(fixed)}${part}. ` +
    'Each fix is counted by its own lines alone: together they redirect a URL once that two of them change, and save pages that need two of them.'
  );
}

function fixHtml(fix: Fix, at: number, log: LogFacts, model: ReportModel): Html {
  const { title, site, isProven, confidence, examples, rules } = fix;
  const [standing, why] = isProven
    ? ['valid', 'confirmed by pages, or by a user']
    : ['likely', `by the log alone, confidence ${confidence.toFixed(3)}: let pages prove it before a 301`];
  const where = log.sites.length > 1 ? markup` on ${siteName(site)}` : NOTHING;
  const listed = examples.map(
    ([url, form]) => markup`<li><code>${shown(url)}</code> → <code>${shown(form)}</code></li>
`,
  );
  const [first] = rules;
  const files = fix.isOfDocuments ? NOTHING : markup` <span class="why">(pictures, styles and other files)</span>`;
  return markup`<li id="fix-${at + 1}"><h3>${worded(title, 300)}${partsCount(fix)}${where}${files}</h3>
<p>${effectWords(fix)}${botsText(fix, log)}. <span class="word is-${standing}">${standing}</span> <span class="why">(${why};
<a href="#rule-${first!}">rule ${first!}</a>${rules.length === 1 ? '' : ` and ${rules.length - 1} more`})</span></p>
${fix.dropsCampaigns === true ? CAMPAIGNS : NOTHING}${partsHtml(fix)}${leftHtml(fix)}${listed.length === 0 ? NOTHING : markup`<p>URLs of the log, and their canonical forms:</p><ul>${listed}</ul>`}
${[...fix.lines, ...linkLines(fix)].map(linesHtml)}
${commandHtml(fix, model)}
</li>
`;
}

/** How to have the lines of this fix as a file, for any software that `export` knows. */
function commandHtml(fix: Fix, model: ReportModel): Html {
  const mine = mineCommandOf(model);
  const first = mine === undefined ? NOTHING : markup` (after <code>${shown(mine, 1000)}</code>)`;
  return markup`<p class="why">These lines as a file${first}: <code>${shown(linesCommandOf(fix, model), 4000)}</code>; <code>export --list</code> has other software.</p>`;
}

function leftHtml({ left = 0 }: Fix): Html {
  if (left === 0) return NOTHING;
  return markup`<p class="why">${many(left, 'more rule')} of this kind cannot be written as such lines, and count for nothing here; <code>dustbuster canonize</code> applies ${left === 1 ? 'it' : 'them'}.</p>
`;
}

const MOST_PARTS = 8;

function partsCount({ parts }: Fix): string {
  return parts.length === 0 ? '' : `, and ${many(parts.length, 'more change')}`;
}

function partsHtml({ parts }: Fix): Html {
  if (parts.length === 0) return NOTHING;
  const shownParts = parts.slice(0, MOST_PARTS).map((part, at) => markup`${at === 0 ? '' : '; '}${worded(part, 300)}`);
  const more = parts.length > MOST_PARTS ? `; and ${parts.length - MOST_PARTS} more` : '';
  return markup`<p>The same URLs need with it: ${shownParts}${more}.</p>
`;
}

function botsText({ redirected: { urls, botHits } }: Fix, { hasAgents }: LogFacts): string {
  return `: ${many(urls, 'URL')}${hasAgents ? `, ${many(botHits, 'hit')} by bots` : ''}`;
}

const TARGETS: Readonly<Record<string, string>> = {
  nginx: 'nginx: redirect to the canonical form',
  apache: 'Apache: redirect to the canonical form',
  'clean-param': 'robots.txt: Clean-param, for Yandex',
  robots: 'robots.txt: keep all crawlers out',
  canonical: 'HTML: for the first page above, as an example',
};

/** Canonical links for pages, which work with any server. */
function linkLines({ examples, isOfDocuments }: Fix): FixLines[] {
  const [example] = examples;
  if (example === undefined || !isOfDocuments) return [];
  const href = example[1].replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`);
  const text = `<!-- Only on this one page: every page names its own canonical form. -->\n<link rel="canonical" href="${href}">\n`;
  return [{ target: 'canonical', text }];
}

export function linesHtml({ target, text, left = 0 }: FixLines): Html {
  const lines = text.trimEnd().split('\n');
  const without = left === 0 ? '' : `, without ${many(left, 'rule')} that it cannot express`;
  return markup`<details class="lines"><summary>${TARGETS[target] ?? target} (${many(lines.length, 'line')}${without})</summary>
<pre tabindex="0"><code>${lines.map(
    (line) => markup`${shown(line, 4000)}
`,
  )}</code></pre></details>
`;
}
