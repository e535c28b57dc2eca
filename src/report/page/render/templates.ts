// Where do visitors spend their requests? A line for each shape of addresses, with hits by group of visitors.
import type { AgentGroup } from '../../../log/agents/agents.js';
import { GROUP_NAMES } from '../../agent-groups.js';
import type { LogFacts, TemplateRow } from '../model.js';
import { type ColumnOf, shareOf, type TableData, tableOf } from '../table.js';
import { type Html, markup, shown, tableHtml } from './html.js';
import { siteName } from './sites.js';

export function templatesTable({ hasSizes }: LogFacts, rows: readonly TemplateRow[]): TableData {
  const withSite = new Set(rows.map(({ site }) => site)).size > 1;
  const groups = (Object.keys(GROUP_NAMES) as AgentGroup[]).filter((group) => rows.some((row) => row.groups[group]));
  const several = groups.length > 1 ? groups : [];
  return tableOf(
    { id: 'templates', caption: 'Requests by the shape of addresses', noun: 'shape', pageRows: 50 },
    rows,
    [
      { label: 'shape', kind: 'url', isHead: true, cell: ({ template }) => shown(template, 120) },
      ...(withSite
        ? [{ label: 'site', kind: 'site', filter: 'choice', cell: ({ site }: TemplateRow) => siteName(site) } as const]
        : []),
      { label: 'URLs', kind: 'count', about: 'distinct URLs', cell: ({ urls }) => urls },
      {
        label: 'pages',
        kind: 'count',
        about: 'pages whose most requested URL is one of these',
        cell: ({ pages }) => pages,
      },
      {
        label: 'requested once',
        kind: 'share',
        about: 'share of the URLs that nobody asked for again',
        cell: ({ once, urls }) => once / urls,
      },
      { label: 'hits', kind: 'count', cell: ({ hits }) => hits },
      {
        label: 'on duplicates',
        kind: 'share',
        about: 'share of the hits that went to duplicates',
        cell: ({ duplicateHits, hits }) => shareOf(duplicateHits, hits),
      },
      ...(hasSizes ? [{ label: 'bytes', kind: 'bytes', cell: ({ bytes }: TemplateRow) => bytes } as const] : []),
      ...several.map((group): ColumnOf<TemplateRow> => {
        return {
          label: GROUP_NAMES[group],
          kind: 'count',
          about: 'hits of this group',
          cell: (row) => row.groups[group]?.hits ?? 0,
        };
      }),
    ],
  );
}

export function templatesHtml(table: TableData): Html {
  return markup`<section id="templates" aria-labelledby="templates-head"><h2 id="templates-head">Where requests go</h2>
<p>At most fifteen lines a site. Words, numbers and codes of addresses stand as <code>{words}</code>, <code>{n}</code> and <code>{hex}</code>; <code>…</code> is any number of folders, and <code>/**</code> all that has no line of its own.</p>
${tableHtml(table)}
</section>`;
}
