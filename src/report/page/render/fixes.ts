// What to do: the fixes that save most, each with what it would have saved on this log, and lines to copy.
import type { Fix, FixLines, LogFacts } from '../model.js';
import type { Asked } from './asked.js';
import { markup, NOTHING, shown, type Html } from './html.js';
import { siteName } from './sites.js';
import { spent } from './spent.js';
import { FORMATS } from './table.js';

const { bytes, count, many, share } = FORMATS;

export function fixesHtml(log: LogFacts, asked: Asked): Html {
  const { fixes, all } = log;
  const saved = fixes.reduce((sum, { hits }) => sum + hits, 0);
  const text =
    fixes.length === 0
      ? markup`<p>${asked === 'nothing' ? 'Nothing yet: no rule is applied.' : 'Nothing: no rule that is applied would have saved a hit.'}</p>`
      : markup`<p>These ${many(fixes.length, 'fix').replace(/fixs$/, 'fixes')} would have saved ${many(saved, 'hit')} on this log,
${share(all.duplicateHits === 0 ? 0 : saved / all.duplicateHits)} of those on duplicates. A URL that several would change counts for one.</p>
<ol class="fixes">${fixes.map((fix, at) => fixHtml(fix, at, log))}</ol>`;
  return markup`<section id="fixes" aria-labelledby="fixes-head"><h2 id="fixes-head">What to do</h2>
${text}
</section>`;
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
  return markup`<li id="fix-${at + 1}"><h3>${shown(title, 200)}${where}${files}</h3>
<p>Saves ${savingsOf(fix, log)}. <span class="word is-${standing}">${standing}</span> <span class="why">(${why};
<a href="#rule-${first!}">rule ${first!}</a>${rules.length === 1 ? '' : ` and ${rules.length - 1} more`})</span></p>
${listed.length === 0 ? NOTHING : markup`<ul>${listed}</ul>`}
${[...fix.lines, ...linkLines(fix)].map(linesHtml)}
</li>
`;
}

function savingsOf({ hits, urls, bytes: sent, botHits, ms }: Fix, { all, hasSizes, hasAgents }: LogFacts): string {
  const parts = [
    `${many(hits, 'hit')}${all.hits === 0 ? '' : ` (${share(hits / all.hits)} of all)`}`,
    ...(hasAgents ? [`${count(botHits)} of them by bots`] : []),
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
  canonical: 'HTML: name the canonical form on the page',
};

/** What the page itself can say, whatever the server. */
function linkLines({ examples, isOfDocuments }: Fix): FixLines[] {
  const [example] = examples;
  if (example === undefined || !isOfDocuments) return [];
  const href = example[1].replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`);
  return [{ target: 'canonical', text: `<link rel="canonical" href="${href}">\n` }];
}

export function linesHtml({ target, text }: FixLines): Html {
  const lines = text.trimEnd().split('\n');
  return markup`<details class="lines"><summary>${TARGETS[target] ?? target} (${many(lines.length, 'line')})</summary>
<pre tabindex="0"><code>${lines.map(
    (line) => markup`${shown(line, 4000)}
`,
  )}</code></pre></details>
`;
}
