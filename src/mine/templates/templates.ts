// What kinds of pages does a site have, by the shapes of its addresses? At most fifteen lines:
//
//   /catalogue/{words}_{n}/
//   /catalogue/category/…/{words}_{n}/        the same beginning and end at several depths
//   /catalogue/?selected_facets=…             the commonest field
//   /gitweb?a=commit                          the field that says what a script shows
//   /media/**                                 what is too light for a line joins its folder
//
// Mounts do not count: a first segment whose children are those of the root (`/de`, `/shop`).
import { byText } from '../../base/bytes.js';
import { addTo } from '../../base/group-by.js';
import { isDocumentUrl } from '../../log/filters.js';
import { pathOf } from '../lists/slots.js';
import { type Dispatch, dispatchOf, type Fields } from './dispatch.js';
import { addPath, type Branch, type Counted, decide, emptyNode, templateOf } from './tree.js';
import { withoutEscapes } from '../../url/escape.js';

/** The templates of a site, which are known by their numbers. */
export interface Templates {
  readonly lines: readonly string[];
  /** The number of the line of a URL. */
  lineOf(url: string): number;
}

interface Parts {
  readonly segments: readonly string[];
  readonly isFolder: boolean;
  readonly fields: Fields;
}

interface Weighed {
  readonly parts: Parts;
  readonly hits: number;
}

/** Of the hits of a site, those with a field that stands in a template. */
const LEAST_OF_FIELD = 0.02;
/** More say nothing new: they are spread over all. */
const MOST_URLS = 20_000;
const MOST_LINES = 15;
const LEAST_OF_MOUNT = 0.6;
const FEWEST_SHARED = 3;
const MOST_MOUNTED = 2;
const OTHERS = '/**';

export function templatesOf(all: readonly Counted[]): Templates {
  const every = Math.ceil(all.length / MOST_URLS);
  const urls = all.filter((_, at) => at % every === 0);
  const parsed = urls.map(({ text, hits }) => ({ parts: partsOf(text), hits }));
  const mounts = mountsOf(parsed.map(({ parts }) => parts.segments));
  const root = emptyNode();
  const mounted = parsed.map(({ parts, hits }) => ({ parts: withoutMounts(parts, mounts), hits }));
  for (const { parts, hits } of mounted) addPath(root, parts.segments, hits, parts.fields.size > 0);
  const branch = decide(root);
  const dispatches = dispatchesOf(mounted, branch);
  const keyOf = (parts: Parts) => {
    const path = pathTemplate(parts, branch);
    return path + queryTemplate(parts.fields, dispatches.get(path));
  };
  const hits = new Map<string, number>();
  for (const { parts, hits: own } of mounted) {
    const key = keyOf(parts);
    hits.set(key, (hits.get(key) ?? 0) + own);
  }
  const lineOfKey = linesOf(hits);
  const lines = [...new Set(lineOfKey.values())];
  if (!lines.includes(OTHERS)) lines.push(OTHERS);
  const numbers = new Map(lines.map((line, number) => [line, number]));
  return {
    lines,
    lineOf(url) {
      const key = keyOf(withoutMounts(partsOf(url), mounts));
      return numbers.get(lineOfKey.get(key) ?? folderLine(key, numbers) ?? OTHERS)!;
    },
  };
}

function partsOf(url: string): Parts {
  const [whole] = url.slice(pathOf(url)).split('#', 1) as [string];
  const question = whole.indexOf('?');
  const path = question < 0 ? whole : whole.slice(0, question);
  const segments = path.split('/').slice(1).map(withoutEscapes);
  const isFolder = segments.at(-1) === '';
  if (isFolder) segments.pop();
  return { segments, isFolder, fields: question < 0 ? new Map() : queryFields(whole.slice(question + 1)) };
}

function queryFields(query: string): Fields {
  const fields = new Map<string, string>();
  for (const field of query.split(/[&;]/)) {
    const equals = field.indexOf('=');
    if (equals > 0) fields.set(field.slice(0, equals), withoutEscapes(field.slice(equals + 1)));
  }
  return fields;
}

/** First segments whose children are also children of the root. */
function mountsOf(paths: readonly (readonly string[])[]): ReadonlySet<string> {
  const children = new Map<string, Set<string>>();
  for (const [first, second] of paths) {
    if (first === undefined) continue;
    const own = children.get(first) ?? new Set();
    children.set(first, own);
    if (second !== undefined) own.add(second);
  }
  const mounts = new Set<string>();
  for (const [name, own] of children) {
    const shared = [...own].filter((child) => child !== name && children.has(child)).length;
    if (shared >= FEWEST_SHARED && shared >= LEAST_OF_MOUNT * own.size) mounts.add(name);
  }
  return mounts;
}

function withoutMounts(parts: Parts, mounts: ReadonlySet<string>): Parts {
  let from = 0;
  while (from < MOST_MOUNTED && from < parts.segments.length && mounts.has(parts.segments[from]!)) from++;
  return from === 0 ? parts : { ...parts, segments: parts.segments.slice(from) };
}

/** Pictures, styles and other files of a folder are one line. */
function pathTemplate({ segments, isFolder }: Parts, branch: Branch): string {
  const last = segments.at(-1) ?? '';
  if (!isFolder && last.includes('.') && !isDocumentUrl(`/${last}`)) {
    const [first] = segments;
    return segments.length > 1 && branch.literals.has(first!) ? `/${first!}/**` : OTHERS;
  }
  const template = templateOf(branch, segments);
  return `/${template.join('/')}${isFolder && template.length > 0 ? '/' : ''}`;
}

/** What stands in the template of each path with queries. A field that is rare, and says nothing, does not. */
function dispatchesOf(all: readonly Weighed[], branch: Branch): Map<string, Dispatch> {
  const byPath = new Map<string, Weighed[]>();
  let hits = 0;
  for (const one of all) {
    hits += one.hits;
    if (one.parts.fields.size === 0) continue;
    const path = pathTemplate(one.parts, branch);
    addTo(byPath, path, one);
  }
  return new Map(
    Array.from(byPath).flatMap(([path, urls]) => {
      const dispatch = dispatchOf(urls.map(({ parts }) => parts.fields));
      if (dispatch === undefined || path.endsWith(OTHERS)) return [];
      const withField = urls.filter(({ parts }) => parts.fields.has(dispatch.name));
      const isCommon = withField.reduce((sum, one) => sum + one.hits, 0) >= LEAST_OF_FIELD * hits;
      return dispatch.values.size > 0 || isCommon ? [[path, dispatch] as const] : [];
    }),
  );
}

function queryTemplate(fields: Fields, dispatch: Dispatch | undefined): string {
  const value = dispatch && fields.get(dispatch.name);
  if (dispatch === undefined || value === undefined) return '';
  return dispatch.values.has(value) ? `?${dispatch.name}=${value}` : `?${dispatch.name}=…`;
}

/** The line of each template: those of several depths are one, and light ones join their folders. */
function linesOf(hits: ReadonlyMap<string, number>): Map<string, string> {
  const lineOf = deepOnes([...hits.keys()]);
  const weights = new Map<string, number>();
  for (const [key, own] of hits) {
    const line = lineOf.get(key)!;
    weights.set(line, (weights.get(line) ?? 0) + own);
  }
  const joins = new Map<string, string>();
  while (weights.size > MOST_LINES) {
    const lightest = lightestOf(weights);
    const folder = folderOf(lightest);
    joins.set(lightest, folder);
    weights.set(folder, (weights.get(folder) ?? 0) + weights.get(lightest)!);
    weights.delete(lightest);
  }
  const final = (line: string): string => (weights.has(line) ? line : final(joins.get(line)!));
  return new Map(Array.from(lineOf, ([key, line]) => [key, final(line)]));
}

function lightestOf(weights: ReadonlyMap<string, number>): string {
  let [lightest, least] = ['', Infinity];
  for (const [line, weight] of weights) {
    if (line === OTHERS) continue;
    if (weight < least || (weight === least && byText(line, lightest) > 0)) [lightest, least] = [line, weight];
  }
  return lightest;
}

/** `/a?…` for `/a?b=c`, `/**` for that, and `/a/**` for what is in the folder `/a/`. */
function folderOf(line: string): string {
  const [whole, query] = line.split('?', 2) as [string, string | undefined];
  if (query !== undefined && !query.endsWith('…')) return `${whole}?…`;
  const path = whole.replace(/(?:\/\*\*|\/)$/, '');
  return `${path.slice(0, Math.max(0, path.lastIndexOf('/')))}/**`;
}

const BETWEEN = '…';

/**
 * Templates with the same end at several depths below one folder are one, if that folder has the end itself, and two
 * folders or more below it: `/category/{words}_{n}/`, `/category/a/{words}_{n}/`, `/category/b/c/{words}_{n}/`.
 */
function deepOnes(keys: readonly string[]): Map<string, string> {
  const split = keys.map(splitTemplate);
  const heads = new Map<string, Set<string>>();
  for (const { end, folders } of split) {
    if (end === '') continue;
    const own = heads.get(end) ?? new Set();
    heads.set(end, own.add(folders.join('/')));
  }
  return new Map(
    split.map(({ key, end, folders }) => {
      const own = end === '' ? undefined : heads.get(end)!;
      for (let depth = 1; own !== undefined && depth <= folders.length; depth++) {
        const head = folders.slice(0, depth).join('/');
        if (own.has(head) && foldersBelow(head, own) > 1) return [key, `/${head}/${BETWEEN}/${end}`];
      }
      return [key, key];
    }),
  );
}

/** `end` is '' if the last segment is literal. */
function splitTemplate(key: string) {
  const [path, query] = key.split('?', 2) as [string, string | undefined];
  const segments = path.split('/').slice(1);
  const slash = segments.at(-1) === '' ? `/${segments.pop()!}` : '';
  const last = segments.pop() ?? '';
  const end = last.startsWith('{') ? `${last}${slash}${query === undefined ? '' : `?${query}`}` : '';
  return { key, end, folders: segments };
}

function foldersBelow(head: string, heads: ReadonlySet<string>): number {
  const below = [...heads].filter((other) => other.startsWith(`${head}/`));
  return new Set(below.map((other) => other.slice(head.length + 1).split('/', 1)[0]!)).size;
}

/** For a template that the sample did not have: the line of a folder above. */
function folderLine(key: string, numbers: ReadonlyMap<string, number>): string | undefined {
  for (let line = folderOf(key); line !== OTHERS; line = folderOf(line)) if (numbers.has(line)) return line;
  return undefined;
}
