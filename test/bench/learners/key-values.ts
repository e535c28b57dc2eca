// What is a URL to the learners of key-value rules? A function from keys to values (Dasgupta et al., KDD 2008):
//
//   http://en.site.org/wiki/Dust?print&id=7
//   s = http, h0 = org, h1 = site, h2 = en, p0 = wiki, p1 = Dust, f:print = (nothing), q:id = 7
//
// Hosts count from the right, as the domain is there, paths from the left. The order of parameters is lost: URLs that
// differ only there are one from the start. Deep tokens (Koppula et al., WSDM 2010) go on below a value.
export type KeyValues = ReadonlyMap<string, string>;

export function keyValuesOf(url: string): Map<string, string> {
  const [, scheme, host, path, query] = /^(?:([^:/?#]+):\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?/.exec(url)!;
  const found = new Map<string, string>([['s', scheme ?? '']]);
  for (const [at, label] of (host ?? '').toLowerCase().split('.').reverse().entries()) found.set(`h${at}`, label);
  for (const [at, segment] of path!.slice(1).split('/').entries()) found.set(`p${at}`, segment);
  for (const field of (query ?? '').split('&').filter((text) => text !== '')) {
    const cut = field.indexOf('=');
    const key = cut < 0 ? `f:${field}` : `q:${field.slice(0, cut)}`;
    found.set(unused(key, found), cut < 0 ? '' : field.slice(cut + 1));
  }
  return found;
}

/** The second field `a` has the key `q:a#2`. */
function unused(key: string, taken: KeyValues): string {
  if (!taken.has(key)) return key;
  let count = 2;
  while (taken.has(`${key}#${count}`)) count++;
  return `${key}#${count}`;
}

/** `red-shoe_12` is red, -, shoe, _ and 12. */
export function deepTokensOf(value: string): string[] {
  return value.match(/[A-Za-z]+|[0-9]+|[^A-Za-z0-9]/g) ?? [];
}

/** The one URL of these keys and values: parameters in the order of their names. */
export function urlOf(keyValues: KeyValues): string {
  const sorted = [...keyValues].sort(([a], [b]) => compare(sortKey(a), sortKey(b)));
  const valuesOf = (kind: string): string[] => sorted.filter(([key]) => key.startsWith(kind)).map(([, value]) => value);
  const query = sorted
    .filter(([key]) => /^[fq]:/.test(key))
    .map(([key, value]) => {
      const name = key.slice(2).replace(/#\d+$/, '');
      return key.startsWith('f') ? name : `${name}=${value}`;
    });
  const address = `${keyValues.get('s') ?? ''}://${valuesOf('h').reverse().join('.')}/${valuesOf('p').join('/')}`;
  return query.length > 0 ? `${address}?${query.join('&')}` : address;
}

/** `p10` after `p9`. */
function sortKey(key: string): string {
  return /^[hp]\d+$/.test(key) ? key[0]! + key.slice(1).padStart(4, '0') : key;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
