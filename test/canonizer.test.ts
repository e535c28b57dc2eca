// The canonizer as browsers get it: the file that the build makes, run in a context without Node.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type * as Portable from '../src/canonizer.js';
import * as portableSource from '../src/canonizer.js';
import * as node from '../src/index.js';
import type { Rule, RulesFile } from '../src/rule/rule.js';
import { anyRules, someOptions, someUrl } from './canonize/arbitrary.js';
import { scratchFolder } from './cli/process.js';
import { sampleFile, sampleParameter, sampleRule } from './rule/sample.js';
import { amount, isFew } from './amount.js';

const bundle = readFileSync(new URL('../dist/bundle/canonizer.js', import.meta.url), 'utf8');

/** Runs the module with the globals of the language and three of the web only. */
function load(): typeof Portable {
  const [, body, names] = /^(.*)export\{([^}]*)\};?\s*$/s.exec(bundle)!;
  const exported = names!.split(',').map((name) => name.split(' as ').reverse().join(':'));
  const context = createContext({ TextEncoder, TextDecoder, URL, Uint8Array });
  return runInContext(`"use strict";${body!};({${exported.join(',')}})`, context) as typeof Portable;
}

const portable = load();
const TSC = new URL('../node_modules/typescript/bin/tsc', import.meta.url).pathname;

/** The file as it is transferred. */
function sent(file: RulesFile): RulesFile {
  return portable.readRules(node.writeRules(file));
}

describe('the bundle of the canonizer', () => {
  it('is less than 15,250 bytes after gzip -9', () => {
    expect(gzipSync(bundle, { level: 9 }).length).toBeLessThan(15_250);
  });

  it('imports nothing, and names nothing of Node', () => {
    expect(bundle).not.toMatch(
      /\bimport\b|\brequire\s*\(|\bBuffer\b|\bprocess\b|\bnode:|__dirname|\beval\b|new Function/,
    );
    expect(bundle.match(/\bexport\b/g)).toHaveLength(1);
  });

  it('has the names of the source', () => {
    expect(Object.keys(portable).sort()).toEqual(Object.keys(portableSource).sort());
  });
});

describe('the types of the canonizer', () => {
  it('need neither Node nor skipLibCheck', () => {
    const folder = scratchFolder();
    const path = join(folder.path, 'page.mts');
    writeFileSync(
      path,
      `import { createCanonizer, readRules, type Canonizer } from '${new URL('../dist/types/canonizer.js', import.meta.url).pathname}';
       const canonizer: Canonizer = createCanonizer(readRules(await (await fetch('/rules.json')).text()), { accept: 'likely' });
       document.title = canonizer.canonize(location.href);
       // @ts-expect-error -- a number is no URL
       canonizer.canonize(1);`,
    );
    const { status, stdout } = spawnSync(
      process.execPath,
      [
        TSC,
        ...'--noEmit --strict --skipLibCheck false --target es2022 --lib es2022,dom --module nodenext --types'.split(
          ' ',
        ),
        '',
        path,
      ],
      { encoding: 'utf8', cwd: folder.path },
    );
    folder.remove();
    expect([stdout, status]).toEqual(['', 0]);
  });
});

describe('in a browser', () => {
  it('every URL has the same canonical form as in the whole package, whatever the rules', () => {
    let changed = 0;
    fc.assert(
      fc.property(anyRules, someUrl, someOptions, (rules, url, options) => {
        const { normalize: normalization, urlForm, sitePolicy: site, maxIterations } = options;
        const ranked = rules.filter(hasMeaning).map((rule, at) => ({ ...rule, rank: at + 1 }));
        const file = sampleFile(ranked, { normalization, urlForm });
        const read = { ...file, options: { ...file.options, site } };
        const form = portable.createCanonizer(sent(read), { maxIterations }).canonize(url);
        expect(form).toBe(node.createCanonizer(read, { maxIterations }).canonize(url));
        if (form !== url) changed++;
      }),
      { numRuns: amount(1500), seed: 6 },
    );
    expect(changed).toBeGreaterThan(amount(300, 20));
  });

  const sites = [
    'example.com',
    'example.co.uk',
    'co.uk',
    'com',
    'github.io',
    'alice.github.io',
    'amazonaws.com',
    'x.compute.amazonaws.com',
    'ply.gg',
    'city.kobe.jp',
    'kobe.jp',
    'www.example.com',
    'www1355544.com',
    'localhost',
    '10.0.0.1',
    '[2001:db8::1]',
    '\u516c\u53f8.cn',
  ];
  const before = ['', 'www.', 'a.b.', 'xx', 'eu-west-1.compute.', 's3.', 'at.', 'u@', 'city.', '.', '*.', '\udce9.'];
  const behind = ['', '.', '..', ':80', ':8080', ':', '.com', '%2e'];

  it.skipIf(isFew)('a rule belongs to the same hosts as by the whole public suffix list', () => {
    const file = sampleFile(sites.map((site, at) => sampleRule('/a', `/${at}`, { site, rank: at + 1, anchor: 'end' })));
    const [theirs, ours] = [portable.createCanonizer(sent(file)), node.createCanonizer(file)];
    let touched = 0;
    for (const scheme of ['http', 'HTTPS']) {
      for (const url of sites.flatMap((site) =>
        before.flatMap((b) => behind.map((c) => `${scheme}://${b}${site}${c}/a`)),
      )) {
        const form = ours.canonize(url);
        expect([url, theirs.canonize(url)]).toEqual([url, form]);
        if (!form.endsWith('/a')) touched++;
      }
    }
    expect(touched).toBeGreaterThan(amount(300, 20));
    expect(ours.canonize('http://www.amazonaws.com/a')).toBe('http://www.amazonaws.com/6');
    expect(ours.canonize('http://a.eu-west-1.compute.amazonaws.com/a')).toMatch(/\/a$/);
  });

  it('a hand-written file without public suffixes still has its sites, if no suffix is between', () => {
    const { publicSuffixes: _, ...bare } = sent(sampleFile([sampleRule('a', 'b', { site: 'example.com' })]));
    expect(portable.createCanonizer(bare).canonize('http://www.example.com/a')).toBe('http://www.example.com/b');
  });
});

/** Rules without this cannot be in a rules file. */
function hasMeaning(rule: Rule): boolean {
  if (rule.kind === 'substring') return rule.from !== rule.to && !(rule.from === '' && rule.anchor === 'none');
  return rule.kind === 'step' || rule.kind === 'pattern' || !/[&;# ]/.test(rule.value ?? '');
}

describe('a wrong rules file', () => {
  const file = sampleFile([sampleRule('a', 'b'), sampleParameter('sid', { rank: 2 })]);
  const json = (change: (copy: Record<string, any>) => void) => {
    const copy = JSON.parse(JSON.stringify(file)) as Record<string, unknown>;
    change(copy);
    return JSON.stringify(copy);
  };

  it.each([
    ['of another format', '{"a":1}', '/format'],
    ['of another version', json((copy) => (copy['version'] = 2)), '/version'],
    ['with an unknown field', json((copy) => (copy['rules'][0].form = 'x')), 'at /rules/0 (rule of rank 1)'],
    [
      'with a word that is none',
      json((copy) => (copy['rules'][0].anchor = 'x')),
      'at /rules/0/anchor (rule of rank 1)',
    ],
    ['with a rule that is none', json((copy) => (copy['rules'][1] = 7)), 'at /rules/1'],
    ['with a kind that is none', json((copy) => (copy['rules'][1].kind = 'x')), 'at /rules/1/kind (rule of rank 2)'],
    [
      'with a number that is none',
      json((copy) => (copy['rules'][1].support.urls = -1)),
      'at /rules/1/support/urls (rule of rank 2)',
    ],
    ['without rules', json((copy) => delete copy['rules']), 'at the top level'],
    ['with suffixes that are none', json((copy) => (copy['publicSuffixes'] = [1])), 'at /publicSuffixes/0'],
    [
      'with a rank that stands twice',
      json((copy) => (copy['rules'][1].rank = 1)),
      '/rules/1 (rule of rank 1): /rules/0 has this rank too',
    ],
    ['with a rule that changes nothing', json((copy) => (copy['rules'][0].to = 'a')), 'changes nothing'],
    ['that is null', 'null', '/format'],
  ])('%s is refused with the place, in browsers as by the commands', (_, text, place) => {
    expect(messageOf(() => portable.readRules(text, 'r.json'))).toContain(place);
    expect(messageOf(() => node.readRules(text, 'r.json'))).toContain(place);
    expect(messageOf(() => portable.createCanonizer(JSON.parse(text) as RulesFile))).toContain(place);
    expect(messageOf(() => node.createCanonizer(JSON.parse(text) as RulesFile))).toContain(place);
  });

  it('that is not JSON is refused with the reason', () => {
    expect(messageOf(() => portable.readRules('{"format"', 'r.json'))).toMatch(
      /^r\.json: no JSON \(.+\)\. Expected a rules file/,
    );
    expect(messageOf(() => node.readRules('{"format"', 'r.json'))).toMatch(/^r\.json:1:10: the JSON ends too soon/);
    expect(messageOf(() => portable.readRules(Uint8Array.of(0xff)))).toMatch(/^rules: no JSON/);
  });

  it('throws a UserError', () => {
    expect(() => portable.readRules('')).toThrow(portable.UserError);
    expect(() => node.readRules('')).toThrow(node.UserError);
  });
});

function messageOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    return (error as Error).message;
  }
  return 'nothing was thrown';
}

describe('rules', () => {
  it('are read from text, bytes or parsed JSON, with or without a byte order mark', () => {
    const file = sampleFile([sampleRule('a', '\udce9', { site: 'example.co.uk' })], { publicSuffixes: ['co.uk'] });
    const text = node.writeRules(file);
    const bytes = new TextEncoder().encode(`\ufeff${text}`);
    for (const { readRules } of [node, portableSource]) {
      for (const rules of [text, `\ufeff${text}`, bytes, JSON.parse(text) as object])
        expect(readRules(rules)).toEqual(file);
    }
  });
});
