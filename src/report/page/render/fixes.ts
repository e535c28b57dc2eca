// What should be done? The fixes that save most, each with its savings on this log and with lines to copy.
import type { Asked, Fix, FixLines, FixTotals, LogFacts, ToProve, UnproposedFix } from '../model.js';
import { spent } from './cost.js';
import { type Html, markup, NOTHING, shown, worded, FORMATS } from './html.js';
import { siteName } from './sites.js';

const { bytes, count, many, share } = FORMATS;

export function fixesHtml(log: LogFacts, asked: Asked, toProve?: ToProve): Html {
  const { fixes, fixed } = log;
  const text =
    fixes.length === 0 || fixed === undefined
      ? markup`<p>${asked === 'nothing' ? 'Nothing yet: no rule is applied.' : 'Nothing: no rule that is applied would have saved a hit.'}</p>`
      : markup`<p>${togetherText(log, fixed)}</p>
<p>The lines of any fix work alone, and those of all of them together in one server. They redirect by 302, which
browsers do not keep: write 301 when some weeks have passed without complaints.${
          fixes.every(({ isProven }) => isProven) ? '' : markup` ${UNPROVEN}`
        }</p>
<ol class="fixes">${fixes.map((fix, at) => fixHtml(fix, at, log))}</ol>`;
  return markup`<section id="fixes" aria-labelledby="fixes-head"><h2 id="fixes-head">What to do</h2>
${text}
${unproposedHtml(log)}${toProve === undefined ? NOTHING : toProveHtml(toProve)}</section>`;
}

const UNPROVEN = markup`Before you redirect by a likely rule, ask the pages: <code class="flag">dustbuster mine</code> writes the
rules of this log, and <code class="flag">dustbuster validate</code> asks the site.`;

const CAMPAIGNS = markup`<p>Scripts of the page that count campaigns no longer see a parameter that a redirect takes out: if you count
so, use rel=canonical instead.</p>
`;

function toProveHtml({ rules, urls, time, logs }: ToProve): Html {
  if (rules === 0) return NOTHING;
  const saving = urls === 0 ? '' : `, and leave ${many(urls, 'URL')} fewer`;
  return markup`<h3 id="to-prove">To be proved by fetching</h3>
<p>${many(rules, 'more rule')} should hold${saving}, but the sizes of a log cannot prove it: a list in another order is as long
to the byte, a page in another language nearly so. The pages can tell; asking for them takes about ${time}:</p>
<pre tabindex="0"><code>dustbuster mine ${shown(logs.map(quoted).join(' '), 1000)} --fetch</code></pre>
`;
}

/** A name, quoted for a shell. */
function quoted(name: string): string {
  return /^[\w./,:@%+-]+$/.test(name) ? name : `'${name.replaceAll("'", `'\\''`)}'`;
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
function togetherText({ fixes, all }: LogFacts, { hits, redirected }: FixTotals): string {
  const these = fixes.length === 1 ? 'This fix redirects' : `Together these ${fixes.length} fixes redirect`;
  const part = all.hits === 0 ? '' : ` (${share(hits / all.hits)} of all)`;
  return (
    `${these} ${many(redirected.hits, 'hit')} of this log on ${many(redirected.urls, 'URL')}, and would have saved ` +
    `${many(hits, 'hit')}${part}. Saved are, of all URLs that become one, the hits on all but the one with the most. ` +
    'Each fix is counted by its own rules alone, so that a URL which two of them change counts for both.'
  );
}

function fixHtml(fix: Fix, at: number, log: LogFacts): Html {
  const { title, site, isProven, confidence, examples, rules } = fix;
  const [standing, why] = isProven
    ? ['valid', 'confirmed by pages, or by a user']
    : ['likely', `by the log alone, confidence ${confidence.toFixed(3)}: validate it before you redirect`];
  const where = log.sites.length > 1 ? markup` on ${siteName(site)}` : NOTHING;
  const listed = examples.map(
    ([url, form]) => markup`<li><code>${shown(url)}</code> → <code>${shown(form)}</code></li>
`,
  );
  const [first] = rules;
  const files = fix.isOfDocuments ? NOTHING : markup` <span class="why">(pictures, styles and other files)</span>`;
  return markup`<li id="fix-${at + 1}"><h3>${worded(title, 300)}${partsCount(fix)}${where}${files}</h3>
<p>Redirects ${redirectedText(fix, log)}. Saves ${savingsOf(fix, log)}. <span class="word is-${standing}">${standing}</span> <span class="why">(${why};
<a href="#rule-${first!}">rule ${first!}</a>${rules.length === 1 ? '' : ` and ${rules.length - 1} more`})</span></p>
${fix.dropsCampaigns === true ? CAMPAIGNS : NOTHING}${partsHtml(fix)}${listed.length === 0 ? NOTHING : markup`<p>URLs of the log, and their canonical forms:</p><ul>${listed}</ul>`}
${[...fix.lines, ...linkLines(fix)].map(linesHtml)}
</li>
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

function redirectedText({ redirected: { hits, urls, botHits } }: Fix, { hasAgents }: LogFacts): string {
  const byBots = hasAgents ? `, ${count(botHits)} by bots,` : '';
  return `${many(hits, 'hit')}${byBots} on ${many(urls, 'URL')}`;
}

function savingsOf({ hits, urls, bytes: sent, ms }: Fix, { all, hasSizes }: LogFacts): string {
  if (hits === 0) return 'nothing by itself, but something with the others';
  const parts = [
    `${many(hits, 'hit')}${all.hits === 0 ? '' : ` (${share(hits / all.hits)} of all)`}`,
    ...(hasSizes ? [bytes(sent)] : []),
    ...(ms === undefined ? [] : [`${spent(ms)} of the server`]),
    many(urls, 'URL'),
  ];
  return parts.join(', ');
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
