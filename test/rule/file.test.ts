import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isFew } from '../amount.js';
import { UserError } from '../../src/base/error.js';
import { readRules, rulesContent, writeRules } from '../../src/rule/file.js';
import type { RulesFile, SubstringRule } from '../../src/rule/rule.js';
import { rulesFileSchema } from '../../src/rule/schema.js';
import { anchors, sampleAudit, sampleFile, sampleParameter, sampleRule, sampleStep } from './sample.js';

function write(file: RulesFile): string {
  return [...writeRules(file)].join('');
}

function read(text: string | Uint8Array): RulesFile {
  return readRules(typeof text === 'string' ? Buffer.from(text) : text, 'rules.json');
}

function messageOf(text: string | Uint8Array): string {
  try {
    read(text);
  } catch (error) {
    if (error instanceof UserError) return error.message;
    throw error;
  }
  throw new Error('was read without complaint');
}

const full = sampleFile([sampleRule('/index.html', '/', { anchor: 'end' }), sampleRule('a', 'b', { rank: 2 })], {
  created: '2026-01-01T00:00:00Z',
  inputs: [
    {
      name: 'x.log',
      format: 'ncsa',
      lines: 3,
      records: 1,
      dropped: { redirect: 1, method: 0 },
      rejected: { 'no request': 1 },
      truncated: false,
    },
    { name: '-', format: 'urls', lines: 0, records: 0, dropped: {}, rejected: {}, truncated: true },
  ],
});

describe('a rules file', () => {
  it('has one rule and one input per line, and ends with a newline', () => {
    const lines = write(full).split('\n');
    expect(lines.filter((line) => line.startsWith('    {"rank":'))).toHaveLength(2);
    expect(lines.filter((line) => line.startsWith('    {"name":'))).toHaveLength(2);
    expect(lines.at(-1)).toBe('');
    expect(lines).toHaveLength(20);
  });

  it('as plain JSON says what its text says, in that order', () => {
    const files = [full, sampleFile([sampleStep('drop-segment', 'start', { word: 'redirect' })])];
    for (const file of files) expect(JSON.stringify(rulesContent(file))).toBe(JSON.stringify(JSON.parse(write(file))));
  });

  it('says for each rule what it does, on whose word and where, before its figures', () => {
    const rules = [
      sampleStep('drop-segment', 'start', { word: 'redirect', only: [{ part: 'depth', is: 2 }] }),
      sampleRule('a', 'b', { rank: 2, not: [{ part: 'first', is: 'feed' }] }),
      sampleParameter('sid', { rank: 3, word: 'canonical' }),
    ];
    const text = write(sampleFile(rules));
    expect(read(text)).toEqual(sampleFile(rules));
    expect(text).toContain(
      '"kind":"step","step":"drop-segment","text":"start","word":"redirect","only":[{"part":"depth","is":2}],"status":',
    );
    expect(text).toContain('"anchor":"none","not":[{"part":"first","is":"feed"}],"status":');
    expect(text).toContain('"path":"","word":"canonical","status":');
  });

  it('has no values of visitors but those that a rule of a user needs', () => {
    const sid = 'q2v8ksd0f9a7s6d5f4g3h2j1k0';
    const url = `http://ann:pw@h/a?sid=${sid}&mail=ann@example.org`;
    const pair = [url, 'http://h/a'] as const;
    const failure = [url, 'http://h/a', 'status 404'] as const;
    const verdict = { source: 'live', positive: 1, negative: 1, unjudged: {} } as const;
    const judged = { ...verdict, positives: [pair], negatives: [failure] } as const;
    const dates = { firstSeen: '2026-11-21', lastSupported: '2026-11-22', visits: 1, changes: 1, days: 1 };
    const retired = { night: '2026-11-22', pair: failure, failures: 1, retryFrom: '2026-12-22' };
    const rules = [
      sampleParameter('sid', { value: sid, examples: [pair], verdict: judged, otherWay: judged }),
      sampleRule('/b', '/c', { rank: 2, except: [url, 'http://h/b'], not: [{ part: 'field', is: `sid=${sid}` }] }),
      sampleRule('/d', '/e', { rank: 3, history: { ...dates, retired } }),
      sampleRule(`?sid=${sid}`, '', { rank: 4 }),
    ];
    const validation = { source: 'live', stop: 'fixed', N: 1, epsilon: 0.05, minSamples: 3, seed: 0 } as const;
    const file = sampleFile(rules, { validation: { ...validation, audit: sampleAudit({ failures: [failure] }) } });
    const text = write(file);
    expect(text).not.toMatch(/q2v8ks|ann|pw@/);
    expect(text.split('http://h/a?sid=…&mail=…')).toHaveLength(1 + 7);
    expect(read(text).rules.map(({ rank, except, not }) => [rank, except, not])).toEqual([
      [1, undefined, undefined],
      [2, ['http://h/b'], undefined],
      [3, undefined, undefined],
    ]);
    expect(write(read(text))).toBe(text);
    expect(write(sampleFile([{ ...rules[3]!, pin: true }]))).toContain(`"?sid=${sid}"`);
  });

  it.each([
    ['"is":2', '"is":"2"', '/rules/0/only/0/is (rule of rank 1)'],
    ['"part":"depth"', '"part":"deep"', '/rules/0/only/0/part'],
    ['"step":"drop-segment"', '"step":"drop"', '/rules/0/step'],
    ['"text":"start"', '"text":"a/b"', '/rules/0 (rule of rank 1): "text" is "a/b"'],
    ['{"part":"depth","is":2}', '{"part":"first","is":"a/b"}', 'is never met'],
    ['[{"part":"depth","is":2}]', '[]', '/rules/0/only'],
  ])('with %s made %s is refused at its place', (from, to, message) => {
    const text = write(sampleFile([sampleStep('drop-segment', 'start', { only: [{ part: 'depth', is: 2 }] })]));
    expect(text).toContain(from);
    expect(messageOf(text.replace(from, to))).toContain(message);
  });

  it('is the same text in whatever order the fields were set', () => {
    const turned = JSON.parse(JSON.stringify(full), (_, value: unknown) =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? Object.fromEntries(Object.entries(value).reverse())
        : value,
    ) as RulesFile;
    expect(write(turned)).toBe(write(full));
  });

  it('conforms to the schema that is shown to users', () => {
    expect(rulesFileSchema.$schema).toBe('https://json-schema.org/draft/2020-12/schema');
    expect(Object.keys(full).filter((name) => !(name in rulesFileSchema.properties))).toEqual([]);
    expect(JSON.parse(JSON.stringify(rulesFileSchema))).toEqual(rulesFileSchema);
  });

  it('has a schema that is a schema by draft 2020-12', () => {
    const ajv = new Ajv2020();
    expect(ajv.validateSchema(rulesFileSchema), ajv.errorsText()).toBe(true);
  });

  it('keeps the audit of a validation, on one line, and is read without one', () => {
    const validation = { source: 'live', stop: 'sequential', N: 100, epsilon: 0.05, minSamples: 3, seed: 1 } as const;
    const audit = sampleAudit({ failures: [['http://a.test/\u009b\udcff', '/v', 'v: status 404']] });
    const audited = { ...full, validation: { ...validation, audit } };
    expect(read(write(audited))).toEqual(audited);
    const line = write(audited)
      .split('\n')
      .find((one) => one.startsWith('  "validation"'))!;
    expect(line).toContain('"seed":1,"audit":{"sample":300,"different":0,"dead":1,"redirecting":0,"unjudged":{');
    expect(line).toContain('http://a.test/\\u009b\\udcff');
    expect(read(write({ ...full, validation }))).toEqual({ ...full, validation });
    expect(write({ ...full, validation })).not.toContain('audit');
    expect(messageOf(write({ ...full, validation: { ...validation, audit: { ...audit, bound: 2 } } }))).toContain(
      '/validation/audit/bound',
    );
  });

  it('may begin with a byte order mark and have Windows line ends', () => {
    expect(read(`\ufeff${write(full).replaceAll('\n', '\r\n')}`)).toEqual(full);
  });

  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({
      unit: fc.constantFrom(
        '\udc80',
        '\udcff',
        '"',
        '\\',
        '\u0000',
        '\n',
        '\u2028',
        '\u007f',
        '<',
        '\ufeff',
        '/',
        '__proto__',
      ),
    }),
  );
  const count = fc.nat();
  const counts = fc.dictionary(text, count);
  const rule = fc.record({
    from: text,
    to: text,
    site: text,
    anchor: fc.constantFrom(...anchors),
    status: fc.constantFrom('likely' as const, 'valid' as const, 'invalid' as const),
    support: fc.record({ low: count, high: count }),
    against: count,
    confidence: fc.double({ min: 0, max: 1, noNaN: true }).map((value) => value + 0),
    examples: fc.array(fc.tuple(text, text), { maxLength: 3 }),
  });
  const file = fc
    .record({
      rules: fc.array(rule),
      inputs: fc.array(
        fc.record({
          name: text,
          format: text,
          lines: count,
          records: count,
          dropped: counts,
          rejected: counts,
          truncated: fc.boolean(),
        }),
      ),
      generator: text,
      urlForm: fc.constantFrom('absolute' as const, 'path' as const, 'mixed' as const),
      normalization: fc.constantFrom('safe' as const, 'none' as const),
      more: fc.constantFrom({}, { created: '2026-01-01T00:00:00Z' }),
    })
    .map(({ rules, more, ...rest }) => {
      const usable = rules.filter(({ from, to, anchor }) => from !== to && (from !== '' || anchor !== 'none'));
      const ranked: SubstringRule[] = usable.map((one, at) => ({ rank: at + 1, kind: 'substring', ...one }));
      return sampleFile(ranked, { ...rest, ...more });
    });

  it.skipIf(isFew)('is read as what was written, and written as what was read', () => {
    fc.assert(
      fc.property(file, (one) => {
        const written = write(one);
        const again = read(written);
        expect(again).toEqual(one);
        expect(write(again)).toBe(written);
        expect(Buffer.from(written).toString()).toBe(written);
      }),
      { numRuns: 500, seed: 6 },
    );
  });

  it('that is truncated is refused, at the place where it ends', () => {
    const whole = write(full).trimEnd();
    for (let end = 1; end < whole.length; end++) {
      const cut = whole.slice(0, end);
      const lines = cut.split('\n');
      // After a truncated word or number the next character is missing, or the word itself is invalid.
      expect(messageOf(cut)).toMatch(/^rules\.json:\d+:\d+: (the JSON ends too soon|damaged JSON)/);
      if (messageOf(cut).includes('too soon')) expect(messageOf(cut)).toContain(`rules.json:${lines.length}:`);
    }
  });
});

const good = write(full);
const faulty: readonly (readonly [string, string | Uint8Array, RegExp])[] = [
  ['empty', '', /^rules\.json is empty\. Expected a rules file of version 1/],
  ['a text', 'http://h/a\n', /^rules\.json:1:1: not JSON, got "h"/],
  ['binary', Uint8Array.of(0x1f, 0x8b, 0x08, 0xff), /^rules\.json is not UTF-8 text/],
  ['another JSON', '{"name": "x"}', /^rules\.json is no rules file: \/format is not "dustbuster-rules"/],
  [
    'a list of pages',
    '{"url":"http://h/a","sketch":"db1"}\n{"url":"http://h/b"}\n',
    /^rules\.json has a JSON value a line, as .* dustbuster sketch do\. Expected a rules file of version 1, .*; name another file\.$/,
  ],
  ['the beginning of one', '{"url":"http://h/a"\n{"url":"http://h/b"}\n', /^rules\.json:2:1: damaged JSON, got "{"/],
  ['null', 'null', /^rules\.json is no rules file/],
  ['a list', '[]', /^rules\.json is no rules file/],
  [
    'of a later version',
    good.replace('"version": 1', '"version": 2'),
    /unknown version 2 at \/version\. This program reads version 1/,
  ],
  ['without version', good.replace('  "version": 1,\n', ''), /unknown version none at \/version/],
  ['with a comma too many', good.replace('"high":15}', '"high":15,}'), /^rules\.json:\d+:\d+: damaged JSON, got "}"/],
  ['with a second value behind', `${good}{}`, /^rules\.json:20:1: damaged JSON, got "{"/],
  [
    'without its rules',
    good.replace(/"rules": [^]*\n {2}\]/, '"x": 1'),
    /at the top level: the field "rules" is missing/,
  ],
  [
    'with an unknown field',
    good.replace('"urls": 100', '"urls": 100, "urlz": 1'),
    /at the top level: the field "urlz" is unknown to version 1/,
  ],
  [
    'with a wrong type',
    good.replace('"rank":2,', '"rank":"2",'),
    /at \/rules\/1\/rank \(rule number 2 in the file\): got "2", which must be integer/,
  ],
  [
    'with a rule without `to`',
    good.replace('"to":"b",', ''),
    /at \/rules\/1 \(rule of rank 2\): the field "to" is missing/,
  ],
  [
    'with an unknown anchor',
    good.replace('"anchor":"end"', '"anchor":"left"'),
    /at \/rules\/0\/anchor \(rule of rank 1\): got "left", expected one of none, start, end, both/,
  ],
  [
    'with an unknown kind',
    good.replace('"kind":"substring"', '"kind":"magic"'),
    /at \/rules\/0\/kind \(rule of rank 1\): got "magic", expected one of substring, parameter/,
  ],
  [
    'with a rank twice',
    good.replace('"rank":2,', '"rank":1,'),
    /at \/rules\/1 \(rule of rank 1\): \/rules\/0 has this rank too/,
  ],
  [
    'with a rule without effect',
    good.replace('"to":"b"', '"to":"a"'),
    /at \/rules\/1 \(rule of rank 2\): "from" and "to" are both "a"/,
  ],
  [
    'with a rule that stands nowhere',
    good.replace('"from":"a"', '"from":""'),
    /at \/rules\/1 \(rule of rank 2\): "from" is empty and has no anchor/,
  ],
  [
    'with half a character',
    good.replace('"from":"a"', String.raw`"from":"\ud83d"`),
    /at \/rules\/1 \(rule of rank 2\): .* lone surrogate/,
  ],
  [
    'with a word misspelt',
    good.replace('"truncated":false', '"truncated":fals'),
    /^rules\.json:\d+:\d+: damaged JSON, got "f"/,
  ],
  ['with a raw tab in a string', good.replace('"to":"b"', '"to":"\t"'), /damaged JSON, got "\\t"/],
  ['with a wrong escape', good.replace('"to":"b"', String.raw`"to":"\x"`), /damaged JSON, got "\\\\"/],
];

describe('a faulty rules file is refused with its place', () => {
  it.each(faulty)('%s', (_, text, message) => expect(messageOf(text)).toMatch(message));
});
