// URLs before and after canonization, site by site, and the groups of duplicates among them.
import { isDocumentUrl } from '../../../log/filters.js';
import { barChart } from '../chart/chart.js';
import type { Asked, DuplicateGroup, LogFacts, SiteRow } from '../model.js';
import { type Cell, type ColumnOf, shareOf, type TableData, tableOf } from '../table.js';
import { type Html, markup, NOTHING, shown, FORMATS, tableHtml } from './html.js';

const { count, many } = FORMATS;

/** How many bars the chart has. */
const MOST_SITES = 12;

type Cost = readonly [label: string, unit: 'count' | 'bytes', part: keyof SiteRow, whole: keyof SiteRow];

/** The costs of duplicates that the log shows. */
export function costsOf({ hasSizes, hasAgents }: LogFacts): readonly Cost[] {
  return [
    ['hits', 'count', 'duplicateHits', 'hits'],
    ...(hasSizes ? ([['bytes', 'bytes', 'duplicateBytes', 'bytes']] as const) : []),
    ...(hasAgents ? ([['bot hits', 'count', 'duplicateBotHits', 'botHits']] as const) : []),
  ];
}

/** `nothing` for `asked` (no rule is applied) leaves out the columns about duplicates. */
export function sitesTable(log: LogFacts, asked: Asked): TableData {
  const { sites, otherSites } = log;
  const rows: NamedSite[] = [
    ...sites.map((row) => ({ ...row, name: siteName(row.site) })),
    ...(otherSites === undefined ? [] : [{ ...otherSites, name: many(otherSites.count, 'other site') }]),
  ];
  const caption =
    asked === 'nothing' ? 'URLs and hits of each site' : 'URLs of each site, and what duplicates among them cost';
  const columns = costsOf(log).flatMap((cost) =>
    asked === 'nothing' ? wholeOf(cost) : [...wholeOf(cost), ...partsOf(cost)],
  );
  return tableOf({ id: 'sites', caption, noun: 'site', pageRows: 25 }, rows, [
    { label: 'site', kind: 'site', isHead: true, cell: ({ name }) => name },
    {
      label: asked === 'nothing' ? 'URLs' : 'URLs before',
      kind: 'count',
      about: 'distinct URLs of the log',
      cell: ({ urlsBefore }) => urlsBefore,
    },
    ...(asked === 'nothing' ? [] : SAVED),
    ...columns,
  ]);
}

type NamedSite = SiteRow & { readonly name: string };

const SAVED: readonly ColumnOf<NamedSite>[] = [
  { label: 'URLs after', kind: 'count', about: 'distinct canonical forms', cell: ({ urlsAfter }) => urlsAfter },
  {
    label: 'saved',
    kind: 'share',
    about: 'share of the distinct URLs that are duplicates',
    cell: ({ urlsBefore, urlsAfter }) => shareOf(urlsBefore - urlsAfter, urlsBefore),
  },
];

function wholeOf([label, kind, , whole]: Cost): readonly ColumnOf<NamedSite>[] {
  return [{ label, kind, cell: (row) => Number(row[whole]) }];
}

function partsOf([label, kind, part, whole]: Cost): readonly ColumnOf<NamedSite>[] {
  return [
    { label: `${label} on duplicates`, kind, cell: (row) => Number(row[part]) },
    {
      label: `share of ${label}`,
      kind: 'share',
      about: `share of ${label} that went to duplicates`,
      cell: (row) => shareOf(Number(row[part]), Number(row[whole])),
    },
  ];
}

export function siteName(site: string): string {
  if (site === '') return '(no host)';
  return site === '*' ? '(all)' : shown(site, 200);
}

export function sitesHtml(log: LogFacts, table: TableData, asked: Asked): Html {
  if (asked === 'nothing') {
    return markup`<section id="sites" aria-labelledby="sites-head"><h2 id="sites-head">Sites</h2>
<p>${UNASKED}</p>
${tableHtml(table)}
</section>`;
  }
  const rows = log.sites.slice(0, MOST_SITES);
  const chart =
    rows.length < 2
      ? NOTHING
      : barChart(
          {
            id: 'sites-chart',
            title: 'URLs before and after',
            says: `Outer bar: distinct URLs of the log. Inner bar: what is left of them. ${rows.length < table.rows.length ? `The ${rows.length} sites with the most hits on duplicates.` : ''}`,
          },
          rows.map(({ site, urlsBefore, urlsAfter }) => ({
            name: siteName(site),
            value: urlsAfter,
            whole: urlsBefore,
            figure: `${count(urlsBefore)} → ${count(urlsAfter)}`,
            colour: 'one',
          })),
          Math.max(...rows.map(({ urlsBefore }) => urlsBefore)),
        );
  return markup`<section id="sites" aria-labelledby="sites-head"><h2 id="sites-head">Sites</h2>
<p>Distinct URLs before and after the rules. Sites with the most hits on duplicates come first.</p>
${chart}
${tableHtml(table)}
</section>`;
}

const UNASKED = 'No rule is applied, so it is not known which URLs are duplicates.';

export function groupsTable({ groups: all, sites, hasSizes, hasAgents }: LogFacts): TableData {
  const withSite = sites.length > 1;
  const groups = [...all.filter(isOfDocument), ...all.filter((group) => !isOfDocument(group))];
  return {
    id: 'groups',
    caption: 'Groups of duplicates',
    noun: 'group',
    pageRows: 25,
    columns: [
      { label: 'canonical form', kind: 'url', isHead: true },
      ...(withSite ? [{ label: 'site', kind: 'site', filter: 'part' } as const] : []),
      { label: 'what', kind: 'text', filter: 'choice', about: 'by its extension' },
      { label: 'URLs', kind: 'count', about: 'distinct URLs that have this canonical form' },
      { label: 'hits', kind: 'count' },
      {
        label: 'on duplicates',
        kind: 'count',
        about: 'hits on all but the URL with the most hits, whichever is canonical',
      },
      ...(hasSizes
        ? [{ label: 'bytes for duplicates', kind: 'bytes', about: 'of answers with status 200' } as const]
        : []),
      ...(hasAgents ? [{ label: 'bot hits on duplicates', kind: 'count' } as const] : []),
    ],
    rows: groups.map((group): Cell[] => [
      shown(group.canonical),
      ...(withSite ? [siteName(group.site)] : []),
      isOfDocument(group) ? 'document' : 'file',
      group.urls,
      group.hits,
      group.duplicateHits,
      ...(hasSizes ? [group.duplicateBytes] : []),
      ...(hasAgents ? [group.duplicateBotHits] : []),
    ]),
    more: groups.map(membersOf),
  };
}

const isOfDocument = ({ canonical }: DuplicateGroup) => isDocumentUrl(canonical);

function membersOf({ urls, members, isOfKey }: DuplicateGroup): TableData['more'][number] {
  const head =
    members.length < urls ? `The ${count(members.length)} of ${many(urls, 'URL')} with the most hits` : 'Its URLs';
  const how = isOfKey === undefined ? '' : ', one page by a key, which no server gets';
  return [{ head: `${head}${how}`, items: members.map(({ url, hits }) => [shown(url), many(hits, 'hit')] as const) }];
}

export function dustHtml(log: LogFacts, table: TableData, asked: Asked): Html {
  const none = asked === 'nothing' ? UNASKED : 'No group has more than one URL.';
  return markup`<section id="dust" aria-labelledby="dust-head"><h2 id="dust-head">Groups of duplicates</h2>
${table.rows.length === 0 ? markup`<p>${none}</p>` : markup`${ORDER}${tableHtml(table)}`}
${remarksOf(log).map((remark) => markup`<p>${remark}</p>`)}
</section>`;
}

const ORDER = markup`<p>Those with the most hits on duplicates first: documents, then pictures, styles and other files.</p>
`;

/** Remarks about what the tables leave out. */
function remarksOf({ otherGroups, unsettled }: LogFacts): string[] {
  return [
    ...(otherGroups === undefined || otherGroups.count === 0
      ? []
      : [
          `${many(otherGroups.count, 'more group')} of duplicates ${otherGroups.count === 1 ? 'is' : 'are'} not listed, with ` +
            `${many(otherGroups.duplicateHits, 'hit')} on duplicates.`,
        ]),
    ...(unsettled === undefined || unsettled === 0
      ? []
      : [`${many(unsettled, 'URL')} stayed as they came, since the rules led to no canonical form.`]),
  ];
}
