// The registrable domain of a host, by some lines of the public suffix list. Finds the same as tldts with the whole
// list, also for invalid hosts; a test checks that.
//
//     lines *.compute.amazonaws.com, co.uk as nodes    the suffix is the longest path from the last label to an end
//
//     (root) ─ com ─ amazonaws.com ─ compute.amazonaws.com ─ *.compute.amazonaws.com  end
//            └ uk ─ co.uk  end
//
// A label that has a node of its own does not match `*`; exceptions (`!city.kobe.jp`) take precedence. The last label
// is always a suffix. The domain is the suffix and one more label.
import type { DomainOf } from './site-finder.js';

/** By name of a node: whether it is an end. */
type Nodes = ReadonlyMap<string, boolean>;

/** `suffixes` are those of `publicSuffixesOf`. */
export function createDomainOf(suffixes: readonly string[]): DomainOf {
  const lines = nodesOf(suffixes.filter((line) => !line.startsWith('!')));
  const exceptions = nodesOf(suffixes.filter((line) => line.startsWith('!')).map((line) => line.slice(1)));
  return (host) => {
    const name = withoutLastDots(host);
    if (isAddress(name)) return host;
    const exception = longestEnd(exceptions, name);
    const suffix =
      exception === undefined
        ? (longestEnd(lines, name) ?? name.slice(name.lastIndexOf('.') + 1))
        : exception.slice(exception.indexOf('.') + 1);
    const leadingDots = name.length - name.replace(/^\.+/, '').length;
    if (suffix.length === name.length - leadingDots) return host;
    return name.slice(name.lastIndexOf('.', name.length - suffix.length - 2) + 1);
  };
}

/** Ignores dots at the end, as tldts does. */
export function withoutLastDots(host: string): string {
  let end = host.length;
  while (end > 1 && host[end - 1] === '.') end--;
  return host.slice(0, end);
}

function nodesOf(lines: readonly string[]): Nodes {
  const nodes = new Map<string, boolean>();
  for (const line of lines) {
    for (let at = line.indexOf('.') + 1; at > 0; at = line.indexOf('.', at) + 1) {
      const node = line.slice(at);
      nodes.set(node, nodes.get(node) ?? false);
    }
    nodes.set(line, true);
  }
  return nodes;
}

/** The longest suffix of `name` that is a line, or undefined. */
function longestEnd(nodes: Nodes, name: string): string | undefined {
  let found: string | undefined;
  let node = '';
  for (let end = name.length; end >= 0;) {
    const start = end === 0 ? 0 : name.lastIndexOf('.', end - 1) + 1;
    const label = name.slice(start, end);
    const behind = node === '' ? '' : `.${node}`;
    const isKnown = nodes.has(label + behind);
    if (!isKnown && label === '') break;
    node = (isKnown ? label : '*') + behind;
    const isEnd = nodes.get(node);
    if (isEnd === undefined) break;
    if (isEnd) found = name.slice(start);
    end = start - 1;
  }
  return found;
}

/** True for four numbers with dots, or hexadecimal digits and colons. */
function isAddress(name: string): boolean {
  if (/^\d[\d.]{5,13}\d$/.test(name)) return name.split('.').length === 4;
  return /^(?:::|(?=.{3})\[?(?=.*:)[\da-fA-F:]{0,39}\]?)$/.test(name);
}
