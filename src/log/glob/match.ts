// Does a glob match the path of a URL, or a host?
//
//   *.php        in any folder                 `*` and `?` match anything but a slash, `**` slashes too
//   /shop/**     from the root on              {a,b} and [a-z] as in a shell; everything else is literal
//   /private/    everything below, as it ends in a slash
//   /s\?q=*      with the query: `\?` is a question mark, after which `*` and `?` match slashes too
//
// As with rsync, a glob that begins with a slash is matched against the whole path, any other one against the part
// after any of its slashes. The path is matched as it is in the URL, percent-encoded and case-sensitive.
import { AutomatonBuilder } from './parse.js';
import { GlobRunner } from './run.js';

export interface PathMatcher {
  /** `query` is the part after the question mark, or null if there is none. */
  matches(path: string, query: string | null): boolean;
}

const PATH = { slash: '/', ignoreCase: false } as const;
const QUERY = { slash: null, ignoreCase: false } as const;
const HOST = { slash: null, ignoreCase: true } as const;

/** Throws a UserError for a glob whose brackets or braces do not close. */
export function createPathMatcher(globs: readonly string[]): PathMatcher {
  const queries: { readonly path: GlobRunner; readonly query: GlobRunner }[] = [];
  const plain: string[] = [];
  for (const glob of globs) {
    const at = placeOfQuery(glob);
    if (at < 0) {
      plain.push(glob);
      continue;
    }
    const query = new AutomatonBuilder(QUERY).glob(encoded(glob.slice(at + 2)), false).build();
    queries.push({ path: pathRunner([glob.slice(0, at)]), query: new GlobRunner(query) });
  }
  const paths = plain.length === 0 ? null : pathRunner(plain);
  return {
    matches(path, query) {
      if (paths?.matches(path) === true) return true;
      if (query === null) return false;
      for (const glob of queries) if (glob.path.matches(path) && glob.query.matches(query)) return true;
      return false;
    },
  };
}

/** For `host`, or `host:port` if the glob has a colon; `*` matches dots too, and case is ignored. */
export function createHostMatcher(globs: readonly string[]): (host: string, port: string) => boolean {
  const runner = (isWanted: (glob: string) => boolean) => {
    const wanted = globs.filter(isWanted);
    if (wanted.length === 0) return null;
    const builder = new AutomatonBuilder(HOST);
    for (const glob of wanted) builder.glob(encoded(glob), false);
    return new GlobRunner(builder.build());
  };
  const hosts = runner((glob) => !glob.includes(':'));
  const withPort = runner((glob) => glob.includes(':'));
  return (host, port) => hosts?.matches(host) === true || withPort?.matches(host + port) === true;
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

function pathRunner(globs: readonly string[]): GlobRunner {
  const builder = new AutomatonBuilder(PATH);
  for (const glob of globs) {
    const whole = glob.endsWith('/') ? `${glob}**` : glob;
    builder.glob(encoded(whole), !whole.startsWith('/'));
  }
  return new GlobRunner(builder.build());
}

/** Characters that are not ASCII are UTF-8 in URLs, percent-encoded. */
function encoded(glob: string): string {
  return glob.replace(/[^\0-\x7f]+/g, encodeURIComponent);
}
