// What browsers read web addresses as (fixtures/addresses), and whether two addresses are read as one.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FIXTURES } from './cli/process.js';

/** An address, and what browsers make of it; null if they refuse it. */
export type Address = readonly [input: string, href: string | null];

export function addresses(): readonly Address[] {
  return JSON.parse(readFileSync(join(FIXTURES, 'addresses', 'addresses.json'), 'utf8')) as Address[];
}

/**
 * What this Node reads an address as, up to the fragment and what RFC 3986 calls equal in path and query; undefined if
 * it refuses it.
 */
export function readingOf(address: string): string | undefined {
  const href = hrefOf(address);
  if (href === undefined) return undefined;
  const [, head = '', rest = ''] = /^(\w+:\/\/[^/]*)([^#]*)/.exec(href) ?? [];
  const spelled = rest.replace(/%([\da-f]{2})/gi, (escape, digits: string) => {
    const char = String.fromCharCode(parseInt(digits, 16));
    return /[\w.~-]/.test(char) ? char : escape.toUpperCase();
  });
  return hrefOf(head + spelled);
}

function hrefOf(address: string): string | undefined {
  // Not by URL.canParse, which after many calls is wrong about hosts beyond ASCII in Node 20.
  try {
    return new URL(address).href;
  } catch {
    return undefined;
  }
}
