// Where do visitors spend their requests? A line for each shape of addresses, with hits by group of visitors.
import type { AgentGroup } from '../../../log/agents/agents.js';
import { GROUP_NAMES } from '../../agent-groups.js';
import type { LogFacts, TemplateRow } from '../model.js';
import type { Cell, Column, TableData } from '../table.js';
import { type Html, markup, shown, tableHtml } from './html.js';
import { siteName } from './sites.js';

export function templatesTable({ hasSizes }: LogFacts, rows: readonly TemplateRow[]): TableData {
  const withSite = new Set(rows.map(({ site }) => site)).size > 1;
  const groups = (Object.keys(GROUP_NAMES) as AgentGroup[]).filter((group) => rows.some((row) => row.groups[group]));
  const several = groups.length > 1 ? groups : [];
  return {
    id: 'templates',
    caption: 'Requests by the shape of addresses',
    noun: 'shape',
    pageRows: 50,
    columns: [
      { label: 'shape', kind: 'url', isHead: true },
      ...(withSite ? [{ label: 'site', kind: 'site', filter: 'choice' } as const] : []),
      { label: 'URLs', kind: 'count', about: 'distinct URLs' },
      { label: 'pages', kind: 'count', about: 'pages whose most requested URL is one of these' },
      { label: 'requested once', kind: 'share', about: 'share of the URLs that nobody asked for again' },
      { label: 'hits', kind: 'count' },
      { label: 'on duplicates', kind: 'share', about: 'share of the hits that went to duplicates' },
      ...(hasSizes ? [{ label: 'bytes', kind: 'bytes' } as const] : []),
      ...several.map((group): Column => ({ label: GROUP_NAMES[group], kind: 'count', about: 'hits of this group' })),
    ],
    rows: rows.map((row): Cell[] => [
      shown(row.template, 120),
      ...(withSite ? [siteName(row.site)] : []),
      row.urls,
      row.pages,
      row.once / row.urls,
      row.hits,
      row.hits === 0 ? null : row.duplicateHits / row.hits,
      ...(hasSizes ? [row.bytes] : []),
      ...several.map((group) => row.groups[group]?.hits ?? 0),
    ]),
    more: [],
  };
}

export function templatesHtml(table: TableData): Html {
  return markup`<section id="templates" aria-labelledby="templates-head"><h2 id="templates-head">Where requests go</h2>
<p>At most fifteen lines a site. Words, numbers and codes of addresses stand as <code>{words}</code>, <code>{n}</code> and <code>{hex}</code>; <code>…</code> is any number of folders, and <code>/**</code> all that has no line of its own.</p>
${tableHtml(table)}
</section>`;
}
