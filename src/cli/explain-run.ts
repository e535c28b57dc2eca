// What `dustbuster explain` does: which rules touched a URL, in which order, on what evidence.
import { decodeText, encodeText, printable } from '../base/bytes.js';
import type { Effects } from '../base/effects.js';
import { createSink, pour } from '../base/output.js';
import { createCanonizer, type Canonizer, type Step, type Trace } from '../canonize/canonizer.js';
import { maxFormBytes } from '../canonize/limits.js';
import { ruleEvidence, ruleSides } from '../report/render.js';
import { describeRule } from '../rule/file.js';
import type { Rule } from '../rule/rule.js';
import { loadRulesInUse } from './canonize-rules.js';
import type { ExplainOptions } from './explain.js';

/** Runs the command; gives the exit code. */
export async function explain(urls: readonly string[], options: ExplainOptions, effects: Effects): Promise<number> {
  const inUse = await loadRulesInUse(options, effects);
  const canonizer = createCanonizer(inUse.rules, inUse.options);
  const render = options.json === true ? renderJson : renderText;
  await pour(explainEach(urls, canonizer, render), createSink(effects.stdout));
  return 0;
}

function* explainEach(
  urls: readonly string[],
  canonizer: Canonizer,
  render: (trace: Trace) => string,
): Iterable<string> {
  for (const url of urls) yield render(canonizer.explain(encodeText(url)));
}

function renderText(trace: Trace): string {
  const lines = [show(trace.url), ...trace.steps.flatMap(renderStep), `  ${endings[trace.ending]}`];
  return `${[...lines, `  = ${show(trace.canonical)}`].join('\n')}\n`;
}

const endings: Readonly<Record<Trace['ending'], string>> = {
  settled: 'no rule changes it any more; canonical form:',
  cycle: 'the forms come back in a circle; canonical form, the least of them:',
  unsettled: `no form comes to rest in the rounds allowed or within ${maxFormBytes} bytes; it stays as it came in:`,
  'no URL': 'this is no URL (/… or http://… or https://…, without spaces); it stays as it came in:',
};

function renderStep({ round, rule, form }: Step): string[] {
  if (rule === undefined) return [`  normalised`, `    ${show(form)}`];
  return [`  round ${round}, rule ${rule.rank}: ${showRule(rule)}`, `    ${ruleEvidence(rule)}`, `    ${show(form)}`];
}

function showRule(rule: Rule): string {
  const { from, to } = ruleSides(rule);
  return `${from} → ${to}`;
}

function show(form: Uint8Array): string {
  return printable(decodeText(form));
}

function renderJson(trace: Trace): string {
  const steps = trace.steps.map(({ round, rule, form }) => {
    if (rule === undefined) return { round, kind: 'normalization', form: decodeText(form) };
    return { round, ...describeRule(rule), form: decodeText(form) };
  });
  const { url, ending, canonical } = trace;
  return `${escapeControls(JSON.stringify({ url: decodeText(url), canonical: decodeText(canonical), ending, steps }))}\n`;
}

/** JSON escapes the control characters below U+0020 by itself; a terminal obeys others as well. */
export function escapeControls(json: string): string {
  return json.replace(/[\u007f-\u009f\p{Cf}\u2028\u2029]/gu, (char) =>
    Array.from({ length: char.length }, (_, at) => `\\u${char.charCodeAt(at).toString(16).padStart(4, '0')}`).join(''),
  );
}
