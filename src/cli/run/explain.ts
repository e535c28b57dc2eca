// `dustbuster explain`: which rules changed a URL, in which order, and on what evidence?
import { decodeText, encodeText, escapeControls, printable, sameBytes } from '../../base/bytes.js';
import type { Effects } from '../../base/effects.js';
import { UserError } from '../../base/error.js';
import { createSink, pour } from '../../base/output.js';
import { type Paint, PLAIN } from '../../base/paint.js';
import { type Canonizer, createCanonizer, type Step, type Trace } from '../../canonize/canonizer.js';
import { maxFormBytes } from '../../canonize/limits.js';
import { classWords, type Elsewhere, elsewhereOf, elsewhereWords, hostWords } from '../../report/host-words.js';
import { hitsWords, ruleEvidence, ruleHistory } from '../../report/render.js';
import { clusterWords, heldWords } from '../../report/rule-words.js';
import { rulesTable } from '../../report/rules-table.js';
import { describeRule } from '../../rule/file.js';
import { heldReason } from '../../rule/held-back.js';
import { idOf } from '../../rule/id.js';
import { hostOf, isOfHosts } from '../../rule/of-hosts.js';
import type { Rule } from '../../rule/rule.js';
import { isKey, isVetoed, standingOf } from '../../rule/standing.js';
import { ruleWords } from '../../rule/words/sentence.js';
import type { ExplainFlags } from '../flags/rules-files.js';
import { widthOf } from '../terminal/stream.js';
import { type LoadedRules, loadRulesInUse, pathsWords } from './rules/in-use.js';
import { loadMarkedRules } from './rules/load.js';

/** Runs the command and returns the exit code. */
export async function explain(urls: readonly string[], options: ExplainFlags, effects: Effects): Promise<number> {
  if (urls.length === 0) return listRules(options, effects);
  const inUse = await loadRulesInUse({ ...options, unique: true }, effects);
  const canonizer = createCanonizer(inUse.rules, inUse.options);
  const refused = refusedBy(inUse);
  const keys = inUse.keyed && createCanonizer(inUse.keyed, { ...inUse.options, use: 'key' });
  const { json, jsonl } = options;
  if (json === true && jsonl === true) throw new UserError('explain: got --json and --jsonl; expected one of them');
  const { paint = PLAIN } = effects;
  const render = json === true || jsonl === true ? renderJson : renderText(paint);
  const elsewhere = elsewhereOf(inUse.examples, options.accept);
  const traces = explainEach(urls, canonizer, refused, (trace, others) => {
    const key = keys?.canonize(trace.canonical);
    const applied = new Set(trace.steps.flatMap(({ rule }) => rule ?? []));
    const besides = {
      refused: others,
      elsewhere: elsewhere([trace.url, ...trace.steps.map(({ form }) => form)], applied),
      key: key !== undefined && !sameBytes(key, trace.canonical) ? key : undefined,
    };
    return render(trace, besides);
  });
  await pour(json === true ? document(traces) : traces, createSink(effects.stdout, { isSafe: true }));
  if (options.debug === true) await debugUrls(urls, inUse, effects);
  const words = pathsWords(urls, inUse);
  if (words !== undefined) effects.stderr.write(`dustbuster: ${words}\n`);
  return 0;
}

async function debugUrls(urls: readonly string[], inUse: LoadedRules, effects: Effects): Promise<void> {
  const { debugCanonizer } = await import('./canonize/debug.js');
  const canonizer = debugCanonizer(inUse, effects);
  for (const url of urls.map(encodeText)) canonizer.canonizeLine(url, 0, url.length);
  canonizer.end();
}

/** Prints every rule of the file in a sentence, with its status. */
async function listRules(options: ExplainFlags, effects: Effects): Promise<number> {
  if (options.json === true || options.jsonl === true) {
    throw new UserError(
      'explain: got no URL; expected some with --json or --jsonl: all rules as JSON are the rules file',
    );
  }
  const { rules } = await loadMarkedRules(options.rules, options, effects);
  const table = rulesTable(rules, { isWhole: true, width: widthOf(effects), paint: effects.paint });
  await pour([table], createSink(effects.stdout, { isSafe: true }));
  return 0;
}

/** What `explain` prints of a URL, besides its steps. */
interface Besides {
  readonly refused: readonly Rule[];
  /** Rules of classes of hosts that are not applied on this host. */
  readonly elsewhere: readonly Elsewhere[];
  /** What all URLs of the page share by the rules that are only keys, if that is not the canonical form. */
  readonly key: Uint8Array | undefined;
}

type Render = (trace: Trace, besides: Besides) => string;

function* explainEach(
  urls: readonly string[],
  canonizer: Canonizer,
  refused: (trace: Trace) => readonly Rule[],
  render: (trace: Trace, refused: readonly Rule[]) => string,
): Iterable<string> {
  for (const url of urls) {
    const trace = canonizer.explain(encodeText(url));
    yield render(trace, refused(trace));
  }
}

/**
 * Finds the rules that were not applied but would have changed a form on the way: vetoed rules, keys, and rules that
 * only add text. Each is tried by itself.
 */
function refusedBy({ vetoed, leftOut, keyed = [], options }: LoadedRules): (trace: Trace) => readonly Rule[] {
  const each = [...vetoed, ...leftOut, ...keyed.filter(isKey)].map((rule) => ({
    rule,
    alone: createCanonizer([{ ...rule, use: 'write', pin: true, veto: false }], options),
  }));
  return ({ url, steps }) => {
    const forms = [url, ...steps.map(({ form }) => form)];
    const changes = (alone: Canonizer) =>
      forms.some((form) => alone.explain(form).steps.some(({ rule }) => rule !== undefined));
    return each.filter(({ alone }) => changes(alone)).map(({ rule }) => rule);
  };
}

/** Yields one JSON document, with a line for each URL. */
function* document(traces: Iterable<string>): Generator<string> {
  yield '{\n  "format": "dustbuster-explain",\n  "version": 1,\n  "urls": [';
  let before = '\n    ';
  for (const trace of traces) {
    yield before + trace.trimEnd();
    before = ',\n    ';
  }
  yield '\n  ]\n}\n';
}

function renderText(paint: Paint): Render {
  return (trace, { refused, elsewhere, key }) => {
    const others = elsewhere.flatMap((one) => [
      `  rule ${one.rule.rank} (${idOf(one.rule)}) ${elsewhereWords(one)}`,
      `    ${classWords(one.rule)}`,
    ]);
    const left = refused.flatMap((rule) => [
      `  rule ${rule.rank} (${idOf(rule)}) ${whyNot(rule)}${noteOf(rule)}: ${printable(ruleWords(rule))}`,
      ...[clusterWords(rule) ?? []].flat().map((words) => `    ${words}`),
    ]);
    const before = [trace.url, ...trace.steps.map(({ form }) => form)];
    const taken = trace.steps.flatMap((step, at) => renderStep(step, before[at]!));
    const steps = [...taken, ...left, ...others, `  ${endings[trace.ending]}`];
    const canonical = `  = ${paint.good(show(trace.canonical))}`;
    const sameKey = key === undefined ? [] : [`  one page with all URLs of this key:`, `    ${show(key)}`];
    return `${[paint.heading(show(trace.url)), ...steps, canonical, ...sameKey].join('\n')}\n`;
  };
}

const endings: Readonly<Record<Trace['ending'], string>> = {
  settled: 'no rule changes it any more; canonical form:',
  cycle: 'the forms repeat in a cycle; canonical form, the least of them:',
  unsettled: `no form settles in the rounds allowed or within ${maxFormBytes} bytes; it stays as it came in:`,
  'no URL': 'this is not a URL (/… or http://… or https://…, without spaces); it stays as it came in:',
};

function renderStep({ round, rule, form }: Step, before: Uint8Array): string[] {
  if (rule === undefined) return [`  normalised`, `    ${show(form)}`];
  const history = ruleHistory(rule);
  const clusters = clusterWords(rule);
  const evidence = [
    ruleEvidence(rule),
    ...(isOfHosts(rule) ? [classWords(rule)!, hostWords(rule, hostOf(before))] : []),
    ...(clusters === undefined ? [] : [clusters]),
    ...(rule.hits === undefined ? [] : [hitsWords(rule.hits)]),
    ...(history === undefined ? [] : [history]),
  ].map((line) => `    ${line}`);
  return [
    `  round ${round}, rule ${rule.rank} (${idOf(rule)}): ${printable(ruleWords(rule))}`,
    ...evidence,
    `    ${show(form)}`,
  ];
}

function whyNot(rule: Rule): string {
  if (isVetoed(rule)) return 'is vetoed';
  const held = heldWords(rule);
  if (held !== undefined) return `is not applied: it ${held}`;
  if (!isKey(rule)) return 'only adds text, so it is not applied';
  return `is only a key${rule.hits === undefined ? '' : `, ${hitsWords(rule.hits)}`}`;
}

function noteOf({ note }: Rule): string {
  return note === undefined ? '' : ` (${printable(note)})`;
}

function show(form: Uint8Array): string {
  return printable(decodeText(form));
}

function renderJson(trace: Trace, { refused, elsewhere, key }: Besides): string {
  const steps = trace.steps.map(({ round, rule, form }) => {
    if (rule === undefined) return { round, kind: 'normalization', form: decodeText(form) };
    const standing = standingOf(rule) === rule.status ? {} : { standing: standingOf(rule) };
    return { round, ...describeShortly(rule), ...standing, form: decodeText(form) };
  });
  const { url, ending, canonical } = trace;
  const vetoed = refused.filter(isVetoed);
  const keys = refused.filter((rule) => !isVetoed(rule) && isKey(rule));
  const leftOut = refused.filter((rule) => !isVetoed(rule) && !isKey(rule));
  const others = {
    ...(vetoed.length > 0 && { vetoed: vetoed.map(describeRule) }),
    ...(keys.length > 0 && { keys: keys.map(describeKey) }),
    ...(leftOut.length > 0 && { leftOut: leftOut.map(describeRule) }),
    ...(elsewhere.length > 0 && {
      elsewhere: elsewhere.map(({ rule, host, standing }) => ({ ...describeShortly(rule), host, standing })),
    }),
  };
  const form = { canonical: decodeText(canonical), ...(key !== undefined && { key: decodeText(key) }) };
  const described = { url: decodeText(url), ...form, ending, steps, ...others };
  return `${escapeControls(JSON.stringify(described))}\n`;
}

/** The figure of a class of hosts stands for its thousands of names. */
function describeShortly(rule: Rule): Readonly<Record<string, unknown>> {
  if (!isOfHosts(rule)) return describeRule(rule);
  const { only: _only, not: _not, ...described } = describeRule(rule);
  return { ...described, hosts: rule.hosts };
}

function describeKey(rule: Rule): Readonly<Record<string, unknown>> {
  const reason = heldReason(rule);
  return { ...describeRule(rule), ...(reason !== undefined && { reason }) };
}
