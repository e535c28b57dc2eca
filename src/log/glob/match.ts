// Does a glob match the path of a URL, or a host?
//
//   *.php        in any folder                 `*` and `?` stand for anything but a slash, `**` for slashes too
//   /shop/**     from the root on              {a,b} and [a-z] as in a shell; everything else is literal
//   /private/    everything below, as it ends in a slash
//   /s\?q=*      with the query: `\?` is a question mark, after which `*` and `?` match slashes too
//
// As with rsync, a glob that begins with a slash is matched against the whole path, any other one against the part
// after any of its slashes. The path is matched as it is in the URL, percent-encoded and case-sensitive.
import { createRequire } from 'node:module';
import { UserError } from '../../base/error.js';

/** Loads what only filters need, synchronously. */
const load = createRequire(import.meta.url);

export interface PathMatcher {
  /** `query` is the part after the question mark, or null if there is none. */
  matches(path: string, query: string | null): boolean;
}

interface QueryGlob {
  readonly path: RegExp;
  readonly query: RegExp;
}

const QUESTION = String.raw`\?`;

export function createPathMatcher(globs: readonly string[]): PathMatcher {
  const [withQuery, plain] = [globs.filter(hasQuery), globs.filter((glob) => !hasQuery(glob))];
  const paths = plain.length === 0 ? null : oneOf(plain.map(pathSource), '');
  const queries = withQuery.map((glob): QueryGlob => {
    const at = placeOfQuery(glob);
    const query = sourceOf(glob.slice(at + QUESTION.length), { bash: true });
    return { path: oneOf([pathSource(glob.slice(0, at))], ''), query: oneOf([query], '') };
  });
  return {
    matches(path, query) {
      if (paths?.test(path) === true) return true;
      if (query === null) return false;
      for (const glob of queries) if (glob.path.test(path) && glob.query.test(query)) return true;
      return false;
    },
  };
}

/** For `host`, or `host:port` if the glob has a colon; `*` matches dots too, and case is ignored. */
export function createHostMatcher(globs: readonly string[]): (host: string, port: string) => boolean {
  const sources = (isWanted: (glob: string) => boolean) => {
    const found = globs.filter(isWanted).map((glob) => sourceOf(glob, { bash: true }));
    return found.length === 0 ? null : oneOf(found, 'i');
  };
  const hosts = sources((glob) => !glob.includes(':'));
  const withPort = sources((glob) => glob.includes(':'));
  return (host, port) => hosts?.test(host) === true || withPort?.test(host + port) === true;
}

/** What picomatch returns if it cannot make an expression. */
const NOT_AN_EXPRESSION = '$^';

function hasQuery(glob: string): boolean {
  return placeOfQuery(glob) >= 0;
}

/** Offset of the first `\?` whose backslash is not itself escaped, or -1. */
function placeOfQuery(glob: string): number {
  for (let at = 0; at < glob.length; at++) {
    if (glob[at] !== '\\') continue;
    if (glob[at + 1] === '?') return at;
    at++;
  }
  return -1;
}

function pathSource(glob: string): string {
  const whole = glob.endsWith('/') ? `${glob}**` : glob;
  return whole.startsWith('/') ? sourceOf(whole) : `(?:.*/)?${sourceOf(whole)}`;
}

/** The expression of a glob, without anchors. Non-ASCII characters are UTF-8 in URLs, percent-encoded. */
function sourceOf(glob: string, options: { readonly bash?: boolean } = {}): string {
  if (glob === '') return '';
  const encoded = glob.replace(/[^\0-\x7f]+/g, encodeURIComponent);
  const caretted = encoded.replace(/\\[^]|\[!/g, (sign) => (sign === '[!' ? '[^' : sign));
  const escaped = caretted.replace(/\\[^]|\[\^|[()|+^$!@]/g, (sign) => (sign.length > 1 ? sign : `\\${sign}`));
  const strict = { dot: true, nonegate: true, noextglob: true, strictSlashes: true, windows: false, fastpaths: false };
  const picomatch = load('picomatch') as typeof import('picomatch').default;
  const { source } = picomatch.makeRe(escaped, { ...strict, ...options });
  if (source === NOT_AN_EXPRESSION) {
    throw new UserError(`got the glob "${glob}", in which brackets are not as expected; \\[ is a bracket that is one`);
  }
  return source.replace(/^\^/, '').replace(/\$$/, '');
}

function oneOf(sources: readonly string[], flags: string): RegExp {
  return new RegExp(`^(?:${sources.join('|')})$`, `s${flags}`);
}
