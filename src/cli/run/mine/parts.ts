// `mine --parts n -o FOLDER`: one run that writes a rules file for each part of the sites.
import { resolve } from 'node:path';
import { many } from '../../../base/amounts.js';
import { printable } from '../../../base/bytes.js';
import { writeFileSet, type NamedFile } from '../../../base/file-set.js';
import { createSink } from '../../../base/output.js';
import { classRulesOf } from '../../../mine/hosts/of-part.js';
import type { MinedPart } from '../../../mine/mine.js';
import { MOST_RULES } from '../../../mine/most-rules.js';
import { textOfPart } from '../../../mine/part-text.js';
import { RuleCounter } from '../../../report/summary.js';
import { writeRules } from '../../../rule/file.js';
import { heldList } from '../../../rule/held-back.js';
import { isFirstPart, isPartFile, partFileName } from '../../../rule/part-files.js';
import type { ListedFile, Rule, RuleList } from '../../../rule/rule.js';
import type { SiteOf } from '../../../table/url-list.js';
import { computed, guardingOutput } from '../../terminal/signals.js';
import { behind, headOf, type MinedRun } from './rules.js';

interface PartedRun extends MinedRun {
  readonly siteOf: SiteOf;
}

/** Returns the counts of the rules that were written. */
export async function writeParts(parts: number, run: PartedRun): Promise<RuleCounter> {
  const { flags, effects } = run;
  const counter = new RuleCounter();
  const folder = resolve(effects.cwd, flags.output!);
  const mined = run.miner.eachPart(parts, MOST_RULES);
  // All sites are mined before the first part is known, and a signal then ends the process at once.
  const first = await computed(() => mined.next(), effects);
  const files = filesOf(first, mined, run, counter);
  await guardingOutput(() => writeFileSet(folder, { files, isOfSet: isPartFile, isFirst: isFirstPart }, effects));
  if (flags.quiet !== true && flags.json !== true) {
    const sink = createSink(effects.stdout);
    const rules = many(counter.counts.all, 'rule');
    await sink.write(`${rules} in ${many(parts, 'file')}, written to ${printable(flags.output!)}\n`);
    await sink.end();
  }
  return counter;
}

async function* filesOf(
  first: IteratorResult<MinedPart>,
  mined: Iterator<MinedPart>,
  run: PartedRun,
  counter: RuleCounter,
): AsyncGenerator<NamedFile> {
  for (let next = first; next.done !== true; next = mined.next()) {
    const file = fileOfPart(next.value, run);
    yield { name: partFileName(next.value.part), chunks: writeRules({ ...file, rules: seenBy(counter, file.rules) }) };
  }
}

function fileOfPart({ part, urls, sites, rules }: MinedPart, run: PartedRun): ListedFile {
  const { classRules } = run.miner;
  const first = classRulesOf(classRules, part, run.siteOf);
  const all: RuleList = {
    length: first.length + rules.length,
    *[Symbol.iterator]() {
      yield* first;
      for (const rule of rules) yield behind(rule, classRules.length);
    },
  };
  return { ...headOf(run), urls, sites, part: textOfPart(part), rules: heldList(all, run.options) };
}

/** The rules, each of which is counted the first time that it is read. */
function seenBy(counter: RuleCounter, rules: RuleList): RuleList {
  let counted = 0;
  return {
    length: rules.length,
    *[Symbol.iterator]() {
      let at = 0;
      for (const rule of rules as Iterable<Rule>) {
        if (at++ >= counted) {
          counter.add(rule);
          counted++;
        }
        yield rule;
      }
    },
  };
}
