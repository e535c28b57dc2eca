// Where crawlers lose their time, by Google's classes, each with examples and what helps.
import type { CrawlSpace, CrawlSpaceKind, LogFacts } from '../model.js';
import { linesHtml } from './fixes.js';
import { markup, NOTHING, shown, type Html } from './html.js';
import { FORMATS } from './table.js';

const { many } = FORMATS;

interface Words {
  readonly title: string;
  readonly advice: string;
  /** Whether robots should be told to stay away from the parameters. */
  readonly isForbidden: boolean;
}

const WORDS: Readonly<Record<CrawlSpaceKind, Words>> = {
  facets: {
    title: 'Filters and orders of lists',
    advice:
      'Keep crawlers out of filtered lists unless people search for them. Where they stay, write parameters in one order, and answer 404 to a filter that leaves nothing.',
    isForbidden: true,
  },
  actions: {
    title: 'Links that do something',
    advice: 'Nothing that changes a cart, a comment or a login should be a link: use buttons that send POST.',
    isForbidden: true,
  },
  irrelevant: {
    title: 'Parameters without effect',
    advice:
      'Leave them out of the links of the site, and redirect to the form without them, as above. Do not forbid them in robots.txt: crawlers would never see the redirect.',
    isForbidden: false,
  },
  calendars: {
    title: 'Calendars and plug-ins',
    advice: 'A calendar has a page for every day for ever: link only months that have entries.',
    isForbidden: true,
  },
  endless: {
    title: 'Paths that repeat themselves',
    advice: 'Relative links lead one level deeper each time: begin them with /, and answer 404 to paths that repeat.',
    isForbidden: false,
  },
};

/** Shown in one robots.txt. */
const MOST_NAMES = 20;

export function crawlSpaceHtml({ crawlSpace }: LogFacts): Html {
  const text =
    crawlSpace.length === 0
      ? markup`<p>No filters, actions, calendars, or endless paths were found.</p>`
      : markup`<p>The classes by which Google counts complaints about crawling, as far as the log has them. A URL can have several
parameters of a class, so there are at least as many URLs as said.</p>
<ul class="fixes">${crawlSpace.map(spaceHtml)}</ul>`;
  return markup`<section id="crawl" aria-labelledby="crawl-head"><h2 id="crawl-head">Where crawlers lose time</h2>
${text}
</section>`;
}

function spaceHtml({ kind, urls, hits, parameters, examples }: CrawlSpace): Html {
  const { title, advice, isForbidden } = WORDS[kind];
  const least = parameters.length > 1 ? 'at least ' : '';
  const robots = isForbidden ? robotsLines(parameters) : '';
  return markup`<li><h3>${title}</h3>
<p>${least}${many(urls, 'URL')}, ${many(hits, 'hit')}, such as</p>
<ul>${examples.map(
    (example) => markup`<li><code>${shown(example, 100)}</code></li>
`,
  )}</ul>
<p>${advice}</p>
${robots === '' ? NOTHING : linesHtml({ target: 'robots', text: robots })}
</li>
`;
}

/** Names that need no escape in a pattern. */
const PLAIN_NAME = /^[\w.~[\]%-]{1,60}$/;

function robotsLines(parameters: readonly string[]): string {
  const names = parameters.filter((name) => PLAIN_NAME.test(name)).slice(0, MOST_NAMES);
  if (names.length === 0) return '';
  const lines = names.flatMap((name) => [`Disallow: /*?${name}=`, `Disallow: /*&${name}=`]);
  return ['User-agent: *', ...lines].join('\n');
}
