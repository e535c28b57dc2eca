// The canonical URL that a page names, in one of two ways:
//
//     Link: <http://h/story/7>; rel="canonical"              in its header
//     <link rel="canonical" href="/story/7">                 in its head, relative to the page's URL, or to <base>
//
// Links in the body do not count: a visitor may have written them. A page that names two URLs has no canonical one.
import { encodeText } from '../base/bytes.js';
import { headLinks, type HeadLinks } from '../sketch/head.js';
import { type Source, sourceOf } from '../sketch/text.js';
import { isHttp, parseUrl } from '../url/parse.js';
import { locationOf } from './headers.js';

/** No real head is longer, and parsing more costs time. */
const MAX_HEAD_BYTES = 1 << 18;

const noLinks: HeadLinks = { canonicals: [], base: undefined };

interface LinkedPage {
  /** The absolute URL of the page, as text of `base/bytes`. */
  readonly url: string;
  readonly body: Uint8Array;
  readonly contentType: string | undefined;
  /** Its Link headers joined by commas, one character per byte. */
  readonly link: string | undefined;
  /** The kind of text of the body, if known. */
  readonly source?: Source | undefined;
}

/**
 * The canonical URL: absolute, http(s), in safe normal form, without fragment. Undefined if the page names none, or
 * several. Never throws.
 */
export function canonicalLink(page: LinkedPage): string | undefined {
  const { url, link } = page;
  const source = page.source ?? sourceOf(page.body.subarray(0, MAX_HEAD_BYTES), page.contentType);
  const head = source?.kind === 'html' ? headLinks(source.utf8.subarray(0, MAX_HEAD_BYTES)) : noLinks;
  const base = baseOf(head.base, url);
  const named = [
    ...linkTargets(link ?? '').map((target) => webUrl(target, url)),
    ...head.canonicals.map((target) => webUrl(target, base)),
  ];
  const [first, ...others] = new Set(named);
  return others.length === 0 ? first : undefined;
}

/** The base of a page's references: its `<base>` if that is a URL, else `url`, the page's own. */
export function baseOf(base: string | undefined, url: string): string {
  return base === undefined ? url : (webUrl(base, url) ?? url);
}

/**
 * Resolves a reference as browsers do: absolute, http(s), in safe normal form, without fragment; undefined for anything
 * else.
 */
export function webUrl(reference: string, url: string): string | undefined {
  const target = locationOf(escapeControls(reference.replace(/[\t\n\r]/g, '').trim()), url);
  return target !== undefined && isHttp(parseUrl(encodeText(target))) ? target : undefined;
}

function escapeControls(text: string): string {
  return text.replace(/[\0- \x7f]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`);
}

const MAX_HEADER = 1 << 13;

/** The targets of a Link header (RFC 8288) whose relation is canonical. */
function linkTargets(header: string): string[] {
  const links = header.slice(0, MAX_HEADER).matchAll(/<([^<>]*)>((?:[^,"<]|"[^"]*")*)/g);
  return Array.from(links).flatMap(([, target, parameters]) => {
    const values = parameters!.matchAll(/;\s*([^\s=;"]+)\s*(?:=\s*(?:"([^"]*)"|([^\s;,"]*)))?/g);
    const relation = Array.from(values).find(([, name]) => name!.toLowerCase() === 'rel');
    const names = (relation?.[2] ?? relation?.[3] ?? '').toLowerCase().split(/\s+/);
    return names.includes('canonical') ? [target!] : [];
  });
}
