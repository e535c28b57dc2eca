// Runs steps in this engine, as a target does: one match per step, or all of them for a repeated step.
import { encodeText } from '../../src/base/bytes.js';
import type { Step } from '../../src/export/step.js';

const chars = (text: string) => Buffer.from(encodeText(text)).toString('latin1');

/** One char per byte, as in the dialect `pcre`. */
export function doStepsOnBytes(steps: readonly Step[], url: string): string {
  return Buffer.from(doSteps(steps, chars(url), chars), 'latin1').toString('latin1');
}

/** `encode` converts the text that a step puts in to the characters of the form. */
export function doSteps(steps: readonly Step[], url: string, encode: (put: string) => string = (put) => put): string {
  let form = url;
  for (const { find, put, repeat } of steps) {
    const pattern = new RegExp(find);
    const text = encode(put);
    for (let times = 0; times < 5000; times++) {
      const next = form.replace(pattern, (_, head: string) => head + text);
      if (next === form && repeat) break;
      form = next;
      if (!repeat) break;
    }
  }
  return form;
}
