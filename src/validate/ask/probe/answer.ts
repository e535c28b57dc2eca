// What does the site say about a probe? Nobody has requested the URL before, so more can go wrong than with a URL of
// the list: it may redirect, have no page, or a "not found" page with status 200. Then the answer says nothing about
// the rule.
import type { Asker } from '../answer.js';
import { ELSEWHERE } from '../answer.js';
import { partsOf } from '../parts.js';
import type { Probe } from './probes.js';

export interface Said {
  readonly kind: 'right' | 'wrong' | 'silent' | 'stop';
  /** The reason why the image is wrong; '' if it is right. */
  readonly reason: string;
}

const SILENT: Said = { kind: 'silent', reason: '' };
const STOP: Said = { kind: 'stop', reason: '' };

export async function askProbe({ form, image }: Probe, asker: Asker): Promise<Said> {
  if (asker.isSpent) return STOP;
  const page = await asker.judge.fetchPage(form);
  if (page.kind !== 'page' || page.redirects > 0) return SILENT;
  const answer = await asker.ask(form, image);
  if (answer.kind === 'stop') return STOP;
  if (answer.kind === 'unjudged') return SILENT;
  if (answer.kind === 'positive') return { kind: 'right', reason: '' };
  if (answer.reason === ELSEWHERE || (await asker.judge.isUnsteady(form))) return SILENT;
  if (await asker.judge.isLike(form, nonsenseOf(form, image))) return SILENT;
  return { kind: 'wrong', reason: answer.reason };
}

const NONSENSE = 'no-such-3f9';

/**
 * The form, pointed at a page that cannot exist: changes the first field that form and image share, else the last
 * segment. The field that the rule is about stays, as an empty list is a page too.
 */
export function nonsenseOf(form: string, image: string): string {
  const others = new Set(partsOf(image).fields.map(({ text }) => text));
  const { fields } = partsOf(form);
  const changed = new Set(fields.filter(({ text }) => !others.has(text)).map(({ name }) => name));
  const shared = fields.find(({ name, value }) => (value ?? '') !== '' && !changed.has(name));
  if (shared !== undefined) return form.replace(shared.text, () => `${shared.name}=${NONSENSE}`);
  return form.replace(/[^/?]*(?=\/?(?:\?|$))/, NONSENSE);
}
