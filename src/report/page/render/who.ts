// Who came? Bots by group, with what they asked for and what they got.
import type { AgentGroup } from '../../../log/agents/agents.js';
import { GROUP_NAMES } from '../../agent-groups.js';
import type { AgentRow, LogFacts } from '../model.js';
import { type ColumnOf, type TableData, tableOf } from '../table.js';
import { type Html, markup, NOTHING, shown, FORMATS, tableHtml } from './html.js';

const { count, many, share } = FORMATS;

export function whoTable({ who = [] }: LogFacts): TableData {
  const hasForged = who.some(({ forged }) => forged !== undefined);
  return tableOf({ id: 'who', caption: 'Who came, and what they got', noun: 'visitor', pageRows: 30 }, who, [
    { label: 'visitor', kind: 'text', isHead: true, cell: ({ name }) => shown(name, 60) },
    { label: 'group', kind: 'text', filter: 'choice', cell: ({ group }) => GROUP_NAMES[group] },
    { label: 'requests', kind: 'count', about: 'for pages, whatever the answer', cell: ({ requests }) => requests },
    { label: 'pages', kind: 'count', about: 'answered by a page', cell: ({ hits }) => hits },
    {
      label: 'duplicates',
      kind: 'count',
      about: 'pages that another URL has too',
      cell: ({ duplicateHits }) => duplicateHits,
    },
    { label: 'redirected', kind: 'count', cell: ({ redirected }) => redirected },
    { label: 'refused', kind: 'count', about: 'answered by 401, 403, 429 or 451', cell: ({ refused }) => refused },
    { label: 'errors', kind: 'count', about: 'answered by any other 4xx or 5xx', cell: ({ errors }) => errors },
    ...(hasForged ? [FORGED] : []),
  ]);
}

const FORGED: ColumnOf<AgentRow> = {
  label: 'forged',
  kind: 'count',
  about: 'further requests under its name, from addresses that are not its own',
  cell: ({ forged }) => forged ?? null,
};

/** Empty if the log has no user agents. */
export function whoHtml({ who = [], unlisted = [] }: LogFacts, table: TableData): Html {
  if (who.length === 0) return NOTHING;
  return markup`<section id="who" aria-labelledby="who-head"><h2 id="who-head">Who came</h2>
<ul class="classes">${groupsOf(who).map(groupItem)}</ul>
<p>Visitors are who their user agents say.${missingText(who)}${forgedText(who)}${unlistedText(unlisted)}</p>
${tableHtml(table)}
</section>`;
}

function groupsOf(who: readonly AgentRow[]): AgentRow[] {
  const groups = new Map<AgentGroup, AgentRow>();
  for (const row of who) {
    const sum = groups.get(row.group);
    groups.set(row.group, sum === undefined ? row : added(sum, row));
  }
  return [...groups.values()].filter(({ requests }) => requests > 0);
}

function added(a: AgentRow, b: AgentRow): AgentRow {
  return {
    name: a.name,
    group: a.group,
    requests: a.requests + b.requests,
    hits: a.hits + b.hits,
    duplicateHits: a.duplicateHits + b.duplicateHits,
    redirected: a.redirected + b.redirected,
    refused: a.refused + b.refused,
    errors: a.errors + b.errors,
  };
}

function groupItem({ group, requests, hits, duplicateHits, refused, errors }: AgentRow): Html {
  const part = hits === 0 ? '' : `, ${share(duplicateHits / hits)} of the pages duplicates`;
  const bad = [
    ...(refused === 0 ? [] : [`${count(refused)} refused`]),
    ...(errors === 0 ? [] : [many(errors, 'error')]),
  ];
  return markup`<li>${GROUP_NAMES[group]}: ${many(requests, 'request')}${part}${bad.length === 0 ? '' : `, ${bad.join(', ')}`}</li>
`;
}

function unlistedText(unlisted: NonNullable<LogFacts['unlisted']>): string {
  if (unlisted.length === 0) return '';
  const names = unlisted.map(({ name, requests }) => `${shown(name, 60)} (${many(requests, 'request')})`).join(', ');
  return ` The largest of the unlisted bots, by the name in their user agent: ${names}.`;
}

function missingText(who: readonly AgentRow[]): string {
  const missing = who.filter(({ requests, forged = 0 }) => requests + forged === 0).map(({ name }) => name);
  return missing.length === 0 ? '' : ` ${missing.join(' and ')} did not come.`;
}

function forgedText(who: readonly AgentRow[]): string {
  const checked = who.filter(({ forged }) => forged !== undefined);
  if (checked.length === 0) return '';
  const all = checked.find(({ requests, forged = 0 }) => requests === 0 && forged > 0);
  const proxied =
    all === undefined ? '' : ` No request of ${all.name} is from its addresses: are those of the log of a proxy?`;
  return ` Forged are requests from addresses outside of the ranges that were given.${proxied}`;
}
