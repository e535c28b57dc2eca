// What does canonize make of a URL by the rules of an export?
import { decodeText, encodeText } from '../../src/base/bytes.js';
import { createCanonizer, type Canonizer, type Ending } from '../../src/canonize/canonizer.js';
import type { Exported, ExportRequest } from '../../src/export/target.js';
import type { Rule } from '../../src/rule/rule.js';

/**
 * The canonizer of a request, with all its rules or with the exported ones: all of them in use, even those that insert
 * text.
 */
export function canonizerOf(request: ExportRequest, rules: readonly Rule[] = request.rules): Canonizer {
  const { normalization, urlForm, sitePolicy, maxIterations } = request;
  const inUse = rules.map((rule) => ({ ...rule, pin: true }));
  return createCanonizer(inUse, { normalize: normalization, accept: 'likely', maxIterations, urlForm, sitePolicy });
}

const made = new WeakMap<ExportRequest, Canonizer>();

export function canonized(request: ExportRequest, url: string): { readonly form: string; readonly ending: Ending } {
  const canonizer = made.get(request) ?? canonizerOf(request);
  made.set(request, canonizer);
  const { canonical, ending } = canonizer.explain(encodeText(url));
  return { form: decodeText(canonical), ending };
}

const carriedBy = new WeakMap<Exported, Canonizer>();

/** The same by the exported rules. */
export function carriedForm(request: ExportRequest, written: Exported, url: string): string {
  const canonizer = carriedBy.get(written) ?? canonizerOf(request, written.carried);
  carriedBy.set(written, canonizer);
  return decodeText(canonizer.canonize(encodeText(url)));
}

/** Text as the programs of this test print it: one char per byte. */
export function bytesOf(text: string): string {
  return Buffer.from(encodeText(text)).toString('latin1');
}

/** A URL as a crawler that normalizes URLs itself has it. */
export function preparedForm(request: ExportRequest, url: string): string {
  const canonizer = preparing.get(request) ?? canonizerOf(request, []);
  preparing.set(request, canonizer);
  return decodeText(canonizer.canonize(encodeText(url)));
}

const preparing = new WeakMap<ExportRequest, Canonizer>();
