// Who came? Every visitor by name and group, with what they asked for and what they got. Googlebot and Bingbot are always
// there: that they did not come is news too.
import { type BotRanges, forgedOf, isForged } from '../../../log/agents/addresses.js';
import { agentOf, type AgentGroup, groupOfAgent } from '../../../log/agents/agents.js';
import { UNNAMED } from '../../../log/agents/unlisted.js';
import type { AgentRow, LogFacts } from '../model.js';
import type { AnswerCounts } from './answers.js';

interface PageCounts {
  readonly hits: number;
  readonly duplicateHits: number;
}

const ALWAYS = ['Googlebot', 'Bingbot'];

/** In the order of the report. */
export const AGENT_GROUPS: readonly AgentGroup[] = [
  'search',
  'ai-search',
  'ai-training',
  'seo',
  'monitoring',
  'feed',
  'other-bot',
  'person',
  'unknown',
];

/** By visitor: pages, and other answers. Groups in order, most requests first. */
export function agentRows(
  pages: ReadonlyMap<number, PageCounts>,
  answers: ReadonlyMap<number, Readonly<AnswerCounts>>,
  ranges: readonly BotRanges[] = [],
): AgentRow[] {
  const rows = new Map<string, AgentRow>(ALWAYS.map((name) => [name, emptyRow(name, 'search')]));
  const forged = ranges.map(() => 0);
  for (const visitor of new Set([...pages.keys(), ...answers.keys()])) {
    const { name, group } = agentOf(visitor);
    if (isForged(visitor)) forged[forgedOf(visitor)]! += requestsOf(pages.get(visitor), answers.get(visitor));
    const row = rows.get(name) ?? emptyRow(name, group);
    const { hits = 0, duplicateHits = 0 } = pages.get(visitor) ?? {};
    const { redirected = 0, refused = 0, errors = 0 } = answers.get(visitor) ?? {};
    rows.set(name, {
      ...row,
      requests: row.requests + requestsOf(pages.get(visitor), answers.get(visitor)),
      hits: row.hits + hits,
      duplicateHits: row.duplicateHits + duplicateHits,
      redirected: row.redirected + redirected,
      refused: row.refused + refused,
      errors: row.errors + errors,
    });
  }
  for (const [at, { bot }] of ranges.entries()) {
    const row = rows.get(bot) ?? emptyRow(bot, groupOfAgent(bot).group);
    rows.set(bot, { ...row, forged: forged[at]! });
  }
  return [...rows.values()].sort(
    (a, b) =>
      AGENT_GROUPS.indexOf(a.group) - AGENT_GROUPS.indexOf(b.group) ||
      b.requests - a.requests ||
      (a.name < b.name ? -1 : 1),
  );
}

function requestsOf(pages: PageCounts | undefined, answers: Readonly<AnswerCounts> | undefined): number {
  const { redirected = 0, refused = 0, errors = 0 } = answers ?? {};
  return (pages?.hits ?? 0) + redirected + refused + errors;
}

function emptyRow(name: string, group: AgentGroup): AgentRow {
  return { name, group, requests: 0, hits: 0, duplicateHits: 0, redirected: 0, refused: 0, errors: 0 };
}

const MOST_UNLISTED = 10;

/** The bots with the most requests among those that are not listed. */
export function unlistedRows(requests: ReadonlyMap<string, number>): Pick<LogFacts, 'unlisted'> {
  const rows = Array.from(requests, ([name, count]) => ({ name, requests: count }))
    .filter(({ name }) => name !== UNNAMED)
    .sort((a, b) => b.requests - a.requests || (a.name < b.name ? -1 : 1));
  return rows.length === 0 ? {} : { unlisted: rows.slice(0, MOST_UNLISTED) };
}
