// In which ways does one page get another name? Each constructor gives a rule of a class of software: how to make the
// other name of an address, and on which share of the hosts this is the same page.
import { hex, oneOf, type Random } from './words.js';

export interface Address {
  readonly scheme: 'http' | 'https';
  readonly host: string;
  readonly path: string;
  readonly query: readonly Field[];
}

export type Field = readonly [name: string, value: string];

/** What rules do, by the kinds that the judge reports. */
export type Kind =
  | 'session'
  | 'path-session'
  | 'tracker'
  | 'pair'
  | 'www'
  | 'mobile'
  | 'scheme'
  | 'index'
  | 'double-slash'
  | 'slash'
  | 'extension'
  | 'query-to-path'
  | 'view'
  | 'default'
  | 'case'
  | 'prefix';

/** What a host brings to its names. */
export interface Site {
  readonly random: Random;
  /** One of the few visitors of this host, as a number of 32 bits. */
  readonly visitor: () => number;
}

export interface Varied {
  readonly address: Address;
  /** What tells this name from others of the same rule: part of the page, on hosts where the rule means something else. */
  readonly value: string;
}

export interface Way {
  readonly kind: Kind;
  /** The other name, if this address can have one. */
  readonly vary: (address: Address, site: Site) => Varied | undefined;
}

export interface Rule extends Way {
  /** The share of the hosts of the class where the other name is the same page. */
  readonly holds: number;
  /** The share of hosts where it is another page. The rest of the hosts never has such names. */
  readonly differs: number;
  /** How often it is used, beside the other rules of the class. */
  readonly use: number;
}

/** The rule of a way: true on `holds` of the hosts, and something else on `differs` of them. */
export function rule(way: Way, holds: number, differs = 0, use = 1): Rule {
  return { ...way, holds, differs, use };
}

type Sign = 'hex32' | 'hex16' | 'letters' | 'number';

/** `…&sid=81f0c3…`: the number of a visit in the query. */
export function session(name: string, sign: Sign = 'hex32'): Way {
  return {
    kind: 'session',
    vary: (address, { visitor }) => {
      const value = signOf(visitor(), sign);
      return has(address, name) ? undefined : { address: withFields(address, [[name, value]]), value };
    },
  };
}

/** A visit in the path: `/page;jsessionid=81F0`, or a folder at its start, such as `/(S(81f0))/page`. */
export function pathSession(before: string, after = '', sign: Sign = 'hex32'): Way {
  return {
    kind: 'path-session',
    vary: (address, { visitor }) => {
      const value = `${before}${signOf(visitor(), sign)}${after}`;
      if (address.path.includes(before)) return undefined;
      const path = before.startsWith('/') ? value + address.path : address.path + value;
      return { address: { ...address, path }, value };
    },
  };
}

/** Fields that say where a visitor came from; all `fields` come together, with one of their values each. */
export function tracker(fields: Readonly<Record<string, readonly string[]>>, kind: Kind = 'tracker'): Way {
  return {
    kind,
    vary: (address, { random }) => {
      const more = Object.entries(fields).map(([name, values]): Field => {
        return [name, values.length > 0 ? oneOf(values, random) : hex(random, 16)];
      });
      if (more.some(([name]) => has(address, name))) return undefined;
      return { address: withFields(address, more), value: more.join() };
    },
  };
}

/** One of `values` of a field, such as an order or `print=1`. */
export function view(name: string, values: readonly string[], kind: Kind = 'view'): Way {
  return tracker({ [name]: values }, kind);
}

/** The default of a field that names pages: `page=1`, where `page=2` is another page. */
export function standard(name: string, value: string): Way {
  return view(name, [value], 'default');
}

/** The host with or without `www.`, whichever the address has not. */
export const www: Way = {
  kind: 'www',
  vary: (address) => {
    const host = address.host.startsWith('www.') ? address.host.slice(4) : `www.${address.host}`;
    return isMobile(address) ? undefined : { address: { ...address, host }, value: host.slice(0, 4) };
  },
};

/** A host for phones, such as `m.`. */
export function mobile(label: string): Way {
  return {
    kind: 'mobile',
    vary: (address) => {
      const host = `${label}.${address.host.replace(/^www\./, '')}`;
      return isMobile(address) ? undefined : { address: { ...address, host }, value: label };
    },
  };
}

export const scheme: Way = {
  kind: 'scheme',
  vary: (address) => {
    const other = address.scheme === 'http' ? 'https' : 'http';
    return { address: { ...address, scheme: other }, value: other };
  },
};

/** The document of a folder by its name: `/a/index.html` for `/a/`. */
export function index(file: string): Way {
  return inPath('index', (path) => (path.endsWith('/') ? path + file : undefined), file);
}

export const doubleSlash: Way = inPath('double-slash', (path) => {
  const at = path.lastIndexOf('/', path.length - 2);
  return at < 0 || path.includes('//') ? undefined : `${path.slice(0, at)}/${path.slice(at)}`;
});

/** `/a/b/` for `/a/b`, and back. */
export const slash: Way = inPath('slash', (path) => {
  if (path === '/' || /[.;][^/]*$/.test(path)) return undefined;
  return path.endsWith('/') ? path.replace(/\/+$/, '') : `${path}/`;
});

/** `/a/b.html` for `/a/b`, and back. */
export function extension(ending: string): Way {
  return inPath('extension', (path) => {
    if (path.endsWith(ending)) return path.slice(0, -ending.length);
    return /[^/.;]$/.test(path) && !/[.;][^/]*$/.test(path) ? path + ending : undefined;
  });
}

/** `/story?id=7` has the name that `to` makes of its path and its first value: `/story_7`. */
export function queryToPath(script: string, field: string, to: (folder: string, value: string) => string): Way {
  return {
    kind: 'query-to-path',
    vary: (address) => {
      const [first, ...query] = address.query;
      if (first?.[0] !== field || !address.path.endsWith(script)) return undefined;
      const path = to(address.path.slice(0, -script.length), first[1]);
      return { address: { ...address, path, query }, value: '' };
    },
  };
}

/** `/News/Item` for `/news/item`, and back. */
export const capitals: Way = inPath('case', (path) => {
  const small = path.toLowerCase();
  if (small !== path) return small;
  const large = path.replace(/\/[a-z]/g, (start) => start.toUpperCase());
  return large === path ? undefined : large;
});

/** A folder in front of all paths that changes nothing: a language, a script, a mount. */
export function prefix(folder: string): Way {
  return inPath('prefix', (path) => (path.startsWith(folder) ? undefined : folder + path), folder);
}

function inPath(kind: Kind, change: (path: string) => string | undefined, value = 'other'): Way {
  return {
    kind,
    vary: (address) => {
      const path = change(address.path);
      return path === undefined || path === '' ? undefined : { address: { ...address, path }, value };
    },
  };
}

function withFields(address: Address, more: readonly Field[]): Address {
  return { ...address, query: [...address.query, ...more] };
}

function has({ query }: Address, name: string): boolean {
  return query.some((field) => field[0] === name);
}

function isMobile({ host }: Address): boolean {
  return /^(?!www\.)[a-z]{1,6}\.[^.]+\.[^.]+$/.test(host);
}

function signOf(visitor: number, sign: Sign): string {
  const eight = visitor.toString(16).padStart(8, '0');
  const mirrored = Array.from(eight).toReversed().join('');
  switch (sign) {
    case 'hex32':
      return eight + mirrored + eight.replaceAll(/\d/g, 'c') + mirrored.replaceAll(/[a-f]/g, '4');
    case 'hex16':
      return eight + mirrored;
    case 'letters':
      return (visitor * 2 ** 20).toString(36);
    case 'number':
      return String(visitor);
  }
}
