// Which rules insert what the site never asked for? A rule is an insertion if its result holds all of what it replaces,
// or, whatever its kind, if most URLs that it changes stand in their forms with something between. Only the site's own
// word makes it right: that it redirects there, or calls that canonical, for nine in ten of these URLs.
import { Parser } from 'htmlparser2';
import { askFor, landingOf } from './ask.js';
import type { Truth } from './measures.js';
import type { AnyRule, AnyRulesFile, CanonizerOf } from './rules-judged.js';

const MOST_ASKED = 20;
const LEAST_SAID = 0.9;

/** How many of the valid rules insert without the site's word. */
export async function insertionsUnasked(file: AnyRulesFile, truth: Truth, canonizerOf: CanonizerOf): Promise<number> {
  const valid = file.rules.filter(({ status }) => status === 'valid');
  const byAll = canonizerOf({ ...file, rules: valid });
  let unasked = 0;
  for (const rule of valid) {
    // As it is applied: alone it would be handed addresses that others change too, and to which the site says more.
    const byOthers = canonizerOf({ ...file, rules: valid.filter((one) => one !== rule) });
    const changed = [...new Set(Array.from(truth.keys(), byOthers))]
      .map((url) => ({ url, form: byAll(url) }))
      .filter(({ url, form }) => form !== url);
    const longer = changed.filter(({ url, form }) => isInserted(url, form));
    if (changed.length === 0 || (!saysSo(rule) && longer.length <= changed.length / 2)) continue;
    const step = Math.max(1, Math.floor(changed.length / MOST_ASKED));
    const asked = changed.filter((_, k) => k % step === 0).slice(0, MOST_ASKED);
    let said = 0;
    for (const { url, form } of asked) if (await siteSays(url, form)) said++;
    if (said < LEAST_SAID * asked.length) unasked++;
  }
  return unasked;
}

function saysSo({ from, to }: AnyRule): boolean {
  return typeof from === 'string' && typeof to === 'string' && to.length > from.length && to.includes(from);
}

/** Whether all characters of the URL are in the form, in order, and more besides. */
export function isInserted(url: string, form: string): boolean {
  let at = 0;
  for (let k = 0; k < form.length && at < url.length; k++) if (form[k] === url[at]) at++;
  return form.length > url.length && at === url.length;
}

async function siteSays(url: string, form: string): Promise<boolean> {
  const answer = await askFor(url);
  if (answer === null) return false;
  if (answer.location !== undefined && URL.canParse(answer.location, url))
    return new URL(answer.location, url).href === form;
  return canonicalLinkIn((await landingOf(url))?.body.toString() ?? '', url) === form;
}

/** Without its fragment, which is no part of what is asked for. */
function canonicalLinkIn(html: string, url: string): string | null {
  let found: string | null = null;
  const parser = new Parser({
    onopentag(tag, { rel, href }) {
      if (tag === 'link' && rel === 'canonical' && href !== undefined && URL.canParse(href, url))
        found ??= new URL(href, url).href.replace(/#.*$/, '');
    },
  });
  parser.end(html);
  return found;
}
