// Reads a report that `report --json` wrote, for a later report to compare itself to. Its rules are applied to a log, so all
// that is used of it is checked.
import { UserError } from '../../base/error.js';
import { compileSchema } from '../../rule/conform.js';
import { idOf } from '../../rule/id.js';
import { faultOf } from '../../rule/meaning.js';
import { parseJson } from '../../rule/parse-json.js';
import type { Rule } from '../../rule/rule.js';
import { ruleSchema } from '../../rule/schema.js';
import type { DayRow, PageHits, ReportModel } from '../page/model.js';

/** A fix that a report proposed. */
export interface ProposedFix {
  /** The same for the same rules, whatever their ranks. */
  readonly id: string;
  readonly title: string;
  readonly site: string;
  /** In rank order. */
  readonly rules: readonly Rule[];
  /** URLs and requests that its lines would have redirected. */
  readonly urls: number;
  readonly hits: number;
  /** Requests for such URLs that the server redirected then already; undefined in reports of earlier versions. */
  readonly already: number | undefined;
}

export interface BeforeReport {
  readonly name: string;
  readonly hits: number;
  readonly duplicateHits: number;
  readonly sites: readonly string[];
  readonly fixes: readonly ProposedFix[];
  /** Empty in reports of version 1, whose periods are months. */
  readonly days: readonly DayRow[];
  readonly pages: readonly PageHits[];
}

const count = { type: 'number', minimum: 0 } as const;
const text = { type: 'string' } as const;

function members(properties: Readonly<Record<string, object>>, optional: readonly string[] = []) {
  return { type: 'object', properties, required: Object.keys(properties).filter((name) => !optional.includes(name)) };
}

const listOf = (items: object) => ({ type: 'array', items });
const day = members({ day: text, hits: count, duplicateHits: count, redirected: count });
const period = members({ from: text, hits: count, duplicateHits: count });
const fix = members(
  {
    title: text,
    site: text,
    rules: listOf(count),
    redirected: members({ urls: count, hits: count }),
    already: count,
  },
  ['already'],
);

/** What is used of a report. */
const schema = members({
  format: { const: 'dustbuster-report' },
  version: { enum: [1, 2] },
  rules: listOf(members({ rule: ruleSchema })),
  log: members(
    {
      all: members({ hits: count, duplicateHits: count }),
      sites: listOf(members({ site: text })),
      fixes: listOf(fix),
      periods: listOf(period),
      days: listOf(day),
      pages: listOf(members({ url: text, hits: count })),
    },
    ['days', 'pages'],
  ),
});

const EXPECTED = 'Expected what `dustbuster report --json` wrote of a log';
const remedies = {
  none: `${EXPECTED}; write it with the log of before`,
  foreign: EXPECTED,
  again: `${EXPECTED}; write it again`,
};

/** The report in `bytes`; error messages call it `name`. Throws a UserError for anything else. */
export function readBefore(bytes: Uint8Array, name: string): BeforeReport {
  const model = parseJson(bytes, name, remedies) as ReportModel;
  refuseOther(model, name);
  const mismatch = compileSchema(schema)(model);
  if (mismatch !== undefined) throw new UserError(`${name}: at ${mismatch.pointer}: ${mismatch.fault}. ${EXPECTED}.`);
  const log = model.log!;
  const rules = new Map(model.rules.map(({ rule }) => [rule.rank, checked(rule, name)]));
  return {
    name,
    hits: log.all.hits,
    duplicateHits: log.all.duplicateHits,
    sites: log.sites.map(({ site }) => site),
    fixes: log.fixes.flatMap(({ title, site, rules: ranks, redirected: { urls, hits }, already }) => {
      const own = ranks.flatMap((rank) => rules.get(rank) ?? []).sort((a, b) => a.rank - b.rank);
      return own.length === 0
        ? []
        : [{ id: own.map(idOf).sort().join(), title, site, rules: own, urls, hits, already }];
    }),
    days: daysOf(log),
    pages: log.pages ?? [],
  };
}

function refuseOther(model: unknown, name: string): void {
  const { format, version, log } = (typeof model === 'object' && model !== null ? model : {}) as Partial<ReportModel>;
  if (format !== 'dustbuster-report')
    throw new UserError(`${name} is no report: /format is not "dustbuster-report". ${EXPECTED}.`);
  if (typeof version === 'number' && version > 2)
    throw new UserError(
      `${name}: got a report of version ${version}; expected 1 or 2. Update this program, or write it again.`,
    );
  if (log === undefined) throw new UserError(`${name} is a report without a log. ${EXPECTED}.`);
}

function checked(rule: Rule, name: string): Rule {
  const fault = faultOf(rule);
  if (fault === undefined) return rule;
  throw new UserError(`${name}: at the rule of rank ${rule.rank}: ${fault}. ${EXPECTED}.`);
}

const DAY = /^\d{4}-\d\d-\d\d$/;

function daysOf({ days, periods }: NonNullable<ReportModel['log']>): DayRow[] {
  const all =
    days ?? periods.map(({ from, hits, duplicateHits }) => ({ day: from, hits, duplicateHits, redirected: 0 }));
  return all.filter((row) => DAY.test(row.day) && !Number.isNaN(Date.parse(row.day)));
}
