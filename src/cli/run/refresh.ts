// What `dustbuster refresh` runs: the visits of a state -> rates of change -> the pages that are due.
import { resolve } from 'node:path';
import { many, parseMemory } from '../../base/amounts.js';
import { decodeText, printable } from '../../base/bytes.js';
import type { Effects } from '../../base/effects.js';
import { UserError } from '../../base/error.js';
import { releaseLocks } from '../../base/lock.js';
import { writeFileWhole } from '../../base/output.js';
import { createCanonizer } from '../../canonize/canonizer.js';
import { defaultMaxIterations } from '../../canonize/limits.js';
import { checkFile } from '../../rule/check-file.js';
import { nightOf } from '../../rule/night.js';
import type { RulesFile } from '../../rule/rule.js';
import { accepts } from '../../rule/standing.js';
import { type Night, dayOf, laterNightOf } from '../../state/content.js';
import { StateFolder } from '../../state/folder.js';
import { expected, POLICIES } from '../../state/freshness.js';
import { type DuePage, planRefresh, type RefreshPlan } from '../../state/refresh.js';
import { uncollate } from '../../url/token.js';
import { refuseReplacing } from '../files.js';
import type { RefreshFlags } from '../flags/state.js';
import { computed, guardingOutput, onSignal } from '../terminal/signals.js';
import { refuseInside } from './input/reading.js';
import { loadRules } from './rules/load.js';

/** Returns the exit code. Throws a UserError if there is no state, or if the state has neither sizes nor sketches. */
export async function refresh(state: string, flags: RefreshFlags, effects: Effects): Promise<number> {
  refuseInside(state, [flags.output], effects);
  if (flags.rules !== undefined) refuseReplacing(flags.rules, flags.output, effects);
  const now = flags.now === undefined ? effects.now() : new Date(`${flags.now}T00:00:00Z`);
  const ignoreSignals = onSignal(releaseLocks);
  const command = `dustbuster refresh ${state}`;
  const folder = await StateFolder.openMade(resolve(effects.cwd, state), now, command).finally(ignoreSignals);
  try {
    const rules = flags.rules === undefined ? rulesOf(folder) : await loadRules(flags.rules, effects);
    const memoryBytes = parseMemory(flags.memory, '--memory') / 2;
    const room = { memoryBytes, tmpdir: flags.tmpdir, stats: { runs: 0, bytes: 0 } };
    const tonight = dayOf(tonightOf(folder, nightOf(now), effects));
    const { budget, policy } = flags;
    effects.progress?.begin({ name: 'comparing visits' });
    const options = { budget, policy, tonight, formOf: formsBy(rules), room };
    const plan = await computed(() => planRefresh(folder.visited(memoryBytes), options), effects);
    if (plan.pages === 0) throw new UserError(nothingSeen(state, plan));
    let written = 0;
    await guardingOutput(() =>
      writeFileWhole(
        flags.output,
        linesOf(plan.due, flags, () => written++),
        effects,
      ),
    );
    if (flags.quiet !== true) effects.stderr.write(summary(plan, written, flags));
  } finally {
    folder.close();
  }
  return 0;
}

/** The night of the run, as `mine --state` determines it. */
function tonightOf({ content, path }: StateFolder, today: Night, { stderr }: Effects): Night {
  const night = laterNightOf(content, today);
  if (night === today) return today;
  stderr.write(
    `dustbuster: ${printable(path)}: got ${today} as the date of this night, but the state already has the night of ` +
      `${night}: days count as of that\n`,
  );
  return night;
}

function rulesOf(folder: StateFolder): RulesFile | undefined {
  const content = folder.readRules();
  return content === undefined ? undefined : checkFile(content, `the rules in ${printable(folder.path)}`);
}

/** Returns the canonical form by the valid rules, or the URL itself if there are none. */
function formsBy(file: RulesFile | undefined): (bytes: Uint8Array, start: number, end: number) => Uint8Array {
  const valid = file?.rules.filter((rule) => accepts(rule, 'valid')) ?? [];
  if (file === undefined || valid.length === 0) return uncollate;
  const { normalization: normalize, urlForm, options } = file;
  const how = { normalize, accept: 'valid', urlForm, sitePolicy: options.site } as const;
  const canonizer = createCanonizer(valid, { ...how, maxIterations: defaultMaxIterations });
  return (bytes, start, end) => canonizer.canonize(uncollate(bytes, start, end));
}

function nothingSeen(state: string, { urls }: RefreshPlan): string {
  const got = `got ${printable(state)}, where the size or digest of none of ${many(urls, 'URL')} is known`;
  return `refresh: ${got}; expected a state made from logs or lists that have them`;
}

function* linesOf(due: Iterable<DuePage>, { tsv }: RefreshFlags, count: () => void): Generator<string> {
  for (const { form, days, counts, rate } of due) {
    count();
    const columns = [decodeText(form)];
    if (tsv === true) columns.push(...[days, counts.comparisons, counts.changes, rate.toPrecision(3)].map(String));
    yield `${columns.join('\t')}\n`;
  }
}

/** The summary for people: what the state knows, and what each policy would do with the same budget. */
function summary(
  { urls, unseen, pages, documents, fresh, counts, rate, classes }: RefreshPlan,
  written: number,
  flags: RefreshFlags,
) {
  const never = unseen === 0 ? '' : `, ${many(unseen, 'URL')} whose size or digest was never seen`;
  const others = pages === documents || documents === 0 ? '' : `, ${pages - documents} of them no documents`;
  const today = fresh === 0 ? '' : `, ${fresh} visited tonight already`;
  const known = rate === undefined ? 'no page was visited twice' : `${rate.toPrecision(3)} changes a day`;
  const rows = POLICIES.map((policy) => {
    const { freshness, age, delay } = expected(classes.all, flags.budget, policy);
    return tableRow(policy, [freshness.toFixed(3), age.toPrecision(3), delay.toPrecision(3)]);
  });
  const table = [tableRow('with --policy', ['freshness', 'age (days)', 'delay']), ...rows].join('');
  return (
    `${many(urls, 'URL')}, ${many(pages, 'page')}${others}${never}${today}; ` +
    `${many(counts.changes, 'change')} in ${many(counts.comparisons, 'comparison')}: ${known}\n` +
    `${many(written, 'page')} to fetch; expected if ${flags.budget} are fetched every night:\n${table}`
  );
}

function tableRow(name: string, figures: readonly string[]): string {
  return `  ${name.padEnd(14)}${figures.map((figure) => figure.padStart(12)).join('')}\n`;
}
