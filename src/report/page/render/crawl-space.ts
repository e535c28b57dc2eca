// Where do crawlers lose their time? By Google's classes, each with examples and remedies; then lines for robots.txt, which
// were tried on the log.
import { BARE_NUMBERS, type CrawlSpace, type CrawlSpaceKind, type LogFacts, type SpaceParameter } from '../model.js';
import { candidatesOf, proposalText } from '../../robots-proposal.js';
import { linesHtml } from './fixes.js';
import { type Html, markup, NOTHING, shown, FORMATS } from './html.js';
import { siteName } from './sites.js';

const { many } = FORMATS;

interface Words {
  readonly title: string;
  readonly advice: string;
}

const WORDS: Readonly<Record<CrawlSpaceKind, Words>> = {
  facets: {
    title: 'Filters and orders of lists',
    advice:
      'Keep crawlers out of filtered lists unless people search for them. Where they stay, write parameters in one order, and answer 404 to a filter that leaves nothing.',
  },
  actions: {
    title: 'Actions, and views of a page',
    advice:
      'Nothing that changes a cart, a comment or a login should be a link: use buttons that send POST. Nobody searches for the history, the differences or the backlinks of a page: keep crawlers out of them.',
  },
  irrelevant: {
    title: 'Parameters without effect',
    advice:
      'Leave them out of the links of the site. Redirect only where a rule says so, as pages may need the parameter elsewhere. Do not forbid them in robots.txt: crawlers would never see a redirect, nor a canonical link.',
  },
  calendars: {
    title: 'Calendars and plug-ins',
    advice: 'A calendar has a page for every day for ever: link only months that have entries.',
  },
  endless: {
    title: 'Paths that repeat themselves',
    advice: 'Relative links lead one level deeper each time: begin them with /, and answer 404 to paths that repeat.',
  },
};

/** How many names a list and a robots.txt show. */
const MOST_NAMES = 20;
const MOST_VALUES = 3;

export function crawlSpaceHtml(log: LogFacts): Html {
  const { crawlSpace } = log;
  const text =
    crawlSpace.length === 0
      ? markup`<p>No filters, actions, calendars, or endless paths were found.</p>`
      : markup`<p>The classes by which Google counts complaints about crawling, as far as the log has them. Hits are those of all
visitors. A URL counts for each of its parameters.</p>
<ul class="fixes">${crawlSpace.map((space) => spaceHtml(space, log))}</ul>`;
  const robots = candidatesOf(log).size === 0 ? NOTHING : robotsHtml(log);
  return markup`<section id="crawl" aria-labelledby="crawl-head"><h2 id="crawl-head">Where crawlers can lose time</h2>
${text}
${robots}</section>`;
}

function spaceHtml({ kind, parameters, endless }: CrawlSpace, log: LogFacts): Html {
  const { title, advice } = WORDS[kind];
  const more = parameters.length - MOST_NAMES;
  return markup`<li><h3>${title}</h3>
${endless === undefined ? NOTHING : endlessHtml(endless)}<ul>${parameters.slice(0, MOST_NAMES).map((parameter) => parameterHtml(parameter, kind, log))}</ul>
${more > 0 ? markup`<p>${many(more, 'more parameter')}, with fewer hits.</p>` : NOTHING}<p>${advice}</p>
</li>
`;
}

function endlessHtml({ urls, hits, examples }: NonNullable<CrawlSpace['endless']>): Html {
  return markup`<p>${many(urls, 'URL')}, ${many(hits, 'hit')}, such as</p>
<ul>${examples.map(
    (example) => markup`<li><code>${shown(example, 100)}</code></li>
`,
  )}</ul>
`;
}

function parameterHtml(parameter: SpaceParameter, kind: CrawlSpaceKind, { sites }: LogFacts): Html {
  const { site, name, urls, hits, isByValue } = parameter;
  const where = sites.length > 1 ? markup` on ${siteName(site)}` : NOTHING;
  const fields = fieldsOf(parameter).map(
    (field, at) => markup`${at === 0 ? '' : ', '}<code>${shown(field, 100)}</code>`,
  );
  const remark = kind === 'irrelevant' ? remarkOn(parameter) : redirectRemark(parameter);
  return markup`<li>${fields}${where}: ${many(urls, 'URL')}, ${many(hits, 'hit')}${isByValue ? ` with any value of ${shown(name, 100)}` : ''}${remark === '' ? '' : `; ${remark}`}</li>
`;
}

function fieldsOf({ name, values, isByValue }: SpaceParameter): string[] {
  if (name === BARE_NUMBERS) return [`?${values[0] ?? ''}`];
  return (isByValue ? values.slice(0, MOST_VALUES) : [values[0] ?? '']).map((value) => `?${name}=${value}`);
}

/** Says where a rule redirects URLs with the parameter. */
function remarkOn({ changed, rule, different, isProven = false }: SpaceParameter): string {
  const some = `${many(different, 'group')} of pages ${different === 1 ? 'differs' : 'differ'} by it`;
  if (changed === 'everywhere') {
    const doubt = different === 0 || isProven ? '' : `, though ${some}: look at these first`;
    return `rule ${rule!} leaves it out everywhere${doubt}`;
  }
  const needed = different === 0 ? '' : `; ${some}, so some need it`;
  return changed === 'in places'
    ? `rule ${rule!} covers a part of its URLs, and no rule the others${needed}`
    : `no applied rule leaves it out${needed}`;
}

function redirectRemark({ changed, rule }: SpaceParameter): string {
  return changed === 'nowhere' ? '' : `rule ${rule!} redirects URLs with it, so robots.txt must not forbid it`;
}

const UNTRIED = markup`<p>Lines are proposed if they hide no page that people find by search, and no redirect. To try them, every file of the log
has to be read again: <code class="flag">dustbuster robots --propose</code> does that with the JSON of this report.</p>
`;

/** Each site needs its own robots.txt. */
function robotsHtml({ robots, sites }: LogFacts): Html {
  if (robots === undefined) return markup`<h3>robots.txt</h3>${UNTRIED}`;
  const { hasReferrers, proposals } = robots;
  const text = proposals
    .map((one) => [...(sites.length > 1 ? [`# ${siteName(one.site)}`] : []), proposalText(one)].join('\n'))
    .join('\n\n');
  const lines = proposals.flatMap((one) => one.lines).length;
  const spared = proposals.reduce((sum, one) => sum + one.spared, 0);
  const said =
    lines === 0
      ? 'No line is proposed: none would change anything without hiding pages that people find by search, or redirects.'
      : `${many(lines, 'line')} would have spared ${many(spared, 'request')} of bots on this log, without hiding a page that people found by search, or a redirect. `;
  const unknown = hasReferrers
    ? ''
    : ' The log has no referrers, so it is not known which pages people find by search.';
  return markup`<h3>robots.txt</h3><p>${said}${unknown}</p>
${text === '' ? NOTHING : linesHtml({ target: 'robots', text })}
`;
}
