// By the few lines of the public suffix list that some sites need, a host has the same domain as by the whole list.
import { createRequire } from 'node:module';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isFew } from '../amount.js';
import { publicSuffixesOf, registrableDomain } from '../../src/url/public-suffix.js';
import { createDomainOf } from '../../src/url/registrable-domain.js';

describe('the lines of the list that a site needs', () => {
  it.each([
    ['example.com', []],
    ['example.co.uk', ['co.uk']],
    ['co.uk', ['co.uk']],
    ['www.example.co.uk', ['co.uk']],
    ['alice.github.io', ['github.io']],
    ['ply.gg', ['*.at.ply.gg', 'at.ply.gg', 'd6.ply.gg']],
    ['localhost', []],
    ['10.0.0.1', []],
    ['[::1]:8080', []],
    ['', []],
    ['*', []],
    ['..', []],
  ])('of %j are %j', (site, lines) => {
    expect(publicSuffixesOf([site])).toEqual(lines);
  });

  it('include wildcards and exceptions', () => {
    expect(publicSuffixesOf(['city.kobe.jp', 'a.b.kobe.jp'])).toEqual(['!city.kobe.jp', '*.kobe.jp', 'kobe.jp']);
  });

  it('are few, except for a site under which there are others', () => {
    expect(publicSuffixesOf(['amazonaws.com']).length).toBeGreaterThan(300);
    expect(publicSuffixesOf(['amazonaws.com'])).toContain('*.compute.amazonaws.com');
  });
});

/** Names under which there are other sites, public suffixes, exceptions, and unknown names. */
const SITES = [
  'example.com',
  'example.test',
  'www1355544.com',
  'example.co.uk',
  'co.uk',
  'uk',
  'com',
  'github.io',
  'alice.github.io',
  'amazonaws.com',
  'compute.amazonaws.com',
  'x.compute.amazonaws.com',
  'eu-west-1.compute.amazonaws.com',
  'bucket.s3.amazonaws.com',
  's3.amazonaws.com',
  'amazonaws.com.cn',
  'futurecms.at',
  'ex.futurecms.at',
  'a.ex.futurecms.at',
  'ply.gg',
  'at.ply.gg',
  'ck',
  'www.ck',
  'x.ck',
  'kobe.jp',
  'city.kobe.jp',
  'a.kobe.jp',
  'b.a.kobe.jp',
  'blogspot.com',
  'platform.sh',
  'xn--55qx5d.cn',
  '\u516c\u53f8.cn',
  'localhost',
  '127.0.0.1',
  '[2001:db8::1]',
  '::1',
  'com.',
  '.com',
  'a..com',
  '*.ck',
];

const label = fc.oneof(
  fc.constantFrom(
    'www',
    'a',
    'city',
    'www',
    'eu-west-1',
    's3',
    'compute',
    'ex',
    'at',
    'd6',
    '*',
    '',
    'ä',
    '1',
    '[',
    ']',
  ),
  fc.stringMatching(/^[a-z0-9-]{1,3}$/),
);
const site = fc.constantFrom(...SITES);
const host = fc.oneof(
  fc.tuple(fc.array(label, { maxLength: 4 }), site).map(([labels, name]) => [...labels, name].join('.')),
  fc
    .tuple(fc.array(label, { maxLength: 2 }), site, fc.constantFrom('.', '..', '.com'))
    .map(([labels, name, end]) => [...labels, name].join('.') + end),
  fc.stringMatching(/^[[\]0-9a-f:.]{0,16}$/),
  fc.stringMatching(/^[a-c.*!]{0,8}$/),
);

describe('the registrable domain', () => {
  it.skipIf(isFew)('by the lines of some sites is one of these exactly if it is by the whole list', () => {
    let belonging = 0;
    let cut = 0;
    fc.assert(
      fc.property(
        fc.array(site, { maxLength: 3 }),
        site,
        fc.array(label, { maxLength: 3 }),
        host,
        (more, first, labels, other) => {
          const name = labels.length === 0 ? other : [...labels.slice(1), first].join('.');
          const sites = [first, ...more];
          const own = new Set(sites);
          const domain = createDomainOf(publicSuffixesOf(own))(name);
          const right = registrableDomain(name);
          expect(own.has(domain)).toBe(own.has(right));
          if (!own.has(right)) {
            if (sites.some((one) => name.endsWith(`.${one}`))) cut++;
            return;
          }
          expect(domain).toBe(right);
          if (domain !== name) belonging++;
        },
      ),
      { numRuns: 6000, seed: 6 },
    );
    expect(belonging).toBeGreaterThan(300);
    expect(cut).toBeGreaterThan(300);
  });

  it('by the lines of the site of a host is that of the whole list, for every host', () => {
    fc.assert(
      fc.property(host, (name) => {
        const right = registrableDomain(name);
        expect(createDomainOf(publicSuffixesOf([right]))(name)).toBe(right);
      }),
      { numRuns: 6000, seed: 7 },
    );
  });

  it('is found for any lines, even if no list has them', () => {
    const domainOf = createDomainOf(['', '.', '..a', '!', '!x', '*', '*.*.b']);
    expect(['a', 'x.y.b', 'z.x.y.b', '', '.', 'a..b'].map(domainOf)).toHaveLength(6);
  });
});

describe('every line of the list', () => {
  it('is known to the sites above and below it', () => {
    const cache = new Map<string, (host: string) => string>();
    const domainBy = (site: string) => {
      let known = cache.get(site);
      if (known === undefined) cache.set(site, (known = createDomainOf(publicSuffixesOf([site]))));
      return known;
    };
    const lines = linesOfList();
    expect(lines.length).toBeGreaterThan(8000);
    for (const line of lines) {
      const host = `a.b.${line.replaceAll('*', 'w')}`;
      for (let name = host; name.includes('.'); name = name.slice(name.indexOf('.') + 1)) {
        for (let site = name; site !== ''; site = site.slice(site.indexOf('.') + 1 || site.length)) {
          const isOwn = domainBy(site)(name) === site;
          if (isOwn !== (registrableDomain(name) === site)) expect([line, name, site]).toBe(isOwn);
        }
      }
    }
  });
});

/** In the format of tldts. */
function linesOfList(): string[] {
  const { nodeFlags, edgeStart, edgeLength, edgeChild, labelText, rulesRoot, exceptionsRoot } = createRequire(
    import.meta.url,
  )('tldts/dist/cjs/src/data/trie.js') as typeof import('tldts/dist/types/src/data/trie.js');
  let at = 0;
  const labels = Array.from(edgeLength, (length) => labelText.slice(at, (at += length)));
  const lines: string[] = [];
  const visit = (node: number, path: string) => {
    for (let edge = edgeStart[node]!; edge < edgeStart[node + 1]!; edge++) {
      const line = path === '' ? labels[edge]! : `${labels[edge]!}.${path}`;
      if (nodeFlags[edgeChild[edge]!] !== 0) lines.push(line);
      visit(edgeChild[edge]!, line);
    }
  };
  visit(rulesRoot, '');
  visit(exceptionsRoot, '');
  return lines;
}
