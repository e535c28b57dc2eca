// `eval --sweep samples`: how many samples does a rule need? It draws samples from the list as `validate --stop fixed`
// does, and validates by labels with more and more of them. The list is read a second time, as the rules see it.
import { parseMemory } from '../../../base/amounts.js';
import { decodeText, encodeText, printable } from '../../../base/bytes.js';
import type { Effects } from '../../../base/effects.js';
import { UserError } from '../../../base/error.js';
import type { Input } from '../../../log/bytes.js';
import { Labels } from '../../../report/measure-labels.js';
import type { RulesFile } from '../../../rule/rule.js';
import { isPending } from '../../../rule/standing.js';
import {
  createLabelSource,
  numbersOfSamples,
  type SampleSweep,
  sweepSamples,
  urlsOfPlans,
  withoutVerdict,
} from '../../../validate/paper/figure-6.js';
import type { SitePlan } from '../../../validate/plan.js';
import type { EvalFlags } from '../../flags/eval.js';
import { VALIDATION_OPTIONS } from '../../flags/validation.js';
import { filterOptions } from '../input/filters.js';
import { siteAsked } from './run.js';
import { planByInputs } from './validate.js';

/** The inputs that are read a second time. */
interface SweepInputs {
  readonly list: readonly Input[];
  /** Labels to use instead of those in the list. */
  readonly truth: Input | undefined;
}

/** Throws a UserError for an input that can be read only once, before a long run finds out. */
export function refusePipes({ list, truth }: SweepInputs): void {
  const pipe = [...list, ...(truth === undefined ? [] : [truth])].find(({ path }) => path === undefined);
  if (pipe === undefined) return;
  throw new UserError(
    `--sweep: got "${printable(pipe.name)}", which can be read only once; expected files, as they are read twice`,
  );
}

export async function sweepByList(
  file: RulesFile,
  { list, truth }: SweepInputs,
  flags: EvalFlags,
  effects: Effects,
): Promise<SampleSweep> {
  const { N, epsilon, seed } = flags;
  const base = flags.base ?? file.options.base;
  const pathOnly = file.urlForm === 'path';
  const untried = { ...file, rules: file.rules.map(withoutVerdict).filter(isPending) };
  const planning = { seed, tries: 3 * N, pathOnly, withSketches: truth === undefined, forAsking: false };
  const { filters } = filterOptions(flags, effects);
  const { plans } = await planByInputs(untried, list, { base, flags, planning, filters }, effects);
  const labelOf = truth === undefined ? labelsOfPlans(plans) : await labelsOf(truth, plans, file, flags);
  effects.progress?.begin({ name: 'sweeping', unit: 'runs', total: numbersOfSamples(N).length });
  return sweepSamples(plans, createLabelSource(labelOf), {
    N,
    epsilon,
    seed,
    pathOnly,
    base: base ?? '',
    minSamples: VALIDATION_OPTIONS.minSamples.standard,
    siteAsked: (site) => siteAsked(site, { file, base, flags: {} }),
    onRun: async () => effects.progress?.add(1),
  });
}

type LabelOf = (url: string) => string | undefined;

function labelsOfPlans(plans: readonly SitePlan[]): LabelOf {
  const labels = new Map(plans.flatMap(({ sketches }) => [...(sketches ?? [])]));
  return (url) => labels.get(url);
}

/** The labels of URLs that may be requested. A label is compared as a name, even if it looks like a sketch. */
async function labelsOf(
  truth: Input,
  plans: readonly SitePlan[],
  { options, normalization, urlForm }: RulesFile,
  flags: EvalFlags,
): Promise<LabelOf> {
  const labels = new Labels({ memoryBytes: parseMemory(flags.memory, '--memory') / 8, tmpdir: flags.tmpdir });
  const { scheme, maxUrlLength } = options;
  const base = flags.base ?? options.base;
  await labels.read(truth, { base, scheme, maxUrlLength, normalize: normalization });
  const wanted = Array.from(urlsOfPlans(plans, urlForm === 'path'), (url) => ({
    site: '',
    url: encodeText(url),
    label: undefined,
  }));
  const labelOf = new Map<string, string>();
  for (const { url, label } of labels.label(wanted)) {
    if (label !== undefined) labelOf.set(decodeText(url), `=${decodeText(label)}`);
  }
  return (url) => labelOf.get(url);
}
