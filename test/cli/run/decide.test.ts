// `pin`, `veto` and `turn`: decisions by id or by rule, in the file that all commands read.
import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { writeRules } from '../../../src/rule/file.js';
import { idOf } from '../../../src/rule/id.js';
import { run, runProcess, scratchFolder } from '../process.js';
import { sampleFile, sampleParameter, sampleRule, sampleStep } from '../../rule/sample.js';

const folder = scratchFolder();
const at = (name: string) => join(folder.path, name);
const html = sampleRule('.html', '', { rank: 1, site: 's.test', anchor: 'end' });
const sid = sampleParameter('sid', { rank: 2, site: 's.test', value: '1' });
const slash = sampleStep('drop-end-slash', '', { rank: 3, site: 's.test' });
const sorted = sampleStep('sort-fields', '', { rank: 4, site: 's.test' });
const file = sampleFile([html, sid, slash, sorted]);
const entries = () => (JSON.parse(readFileSync(at('rules.local.json'), 'utf8')) as { rules: object[] }).rules;
const decide = (command: string, ...args: readonly string[]) => run([command, at('rules.json'), ...args]);
const formOf = async (url: string) =>
  (await run(['canonize', '-r', at('rules.json'), url])).stdout.toString().trimEnd();

beforeEach(() => {
  writeFileSync(at('rules.json'), [...writeRules(file)].join(''));
  rmSync(at('rules.local.json'), { force: true });
});
afterAll(() => folder.remove());

describe('a decision', () => {
  test('is not lost where several are made at once: each is kept, or says that it is not', async () => {
    const rules = [html, sid, slash, sorted];
    const made = await Promise.all(rules.map((rule) => runProcess(['pin', at('rules.json'), idOf(rule)])));
    const kept = made.filter(({ code }) => code === 0);
    expect(kept.length).toBeGreaterThan(0);
    expect(entries()).toHaveLength(kept.length);
    for (const { code, stderr } of made)
      if (code !== 0) expect([code, stderr]).toEqual([2, expect.stringContaining('is in use by')]);
  });

  test('is kept beside the rules, is used at once, and can be taken back', async () => {
    expect(await formOf('http://s.test/a.html?sid=2')).toBe('http://s.test/a');
    const { code, stderr } = await decide('veto', idOf(html), '--note', 'not here');
    expect([code, stderr]).toEqual([
      0,
      expect.stringMatching(/^rule \w{8} \(`\.html` at the end is dropped\): vetoed, in .*rules\.local\.json\n$/),
    ]);
    expect(await formOf('http://s.test/a.html?sid=2')).toBe('http://s.test/a.html');
    expect(entries()).toMatchObject([{ veto: true, from: '.html', site: 's.test', note: 'not here' }]);
    expect(await decide('veto', idOf(html), '--undo')).toMatchObject({ code: 0 });
    expect(entries()).toEqual([]);
  });

  test('replaces what was decided on the rule before, and nothing else, remarks of the file included', async () => {
    const other = { veto: true, site: 't.test', note: 'by hand' };
    const local = { format: 'dustbuster-local', version: 1, note: 'ours', rules: [other] };
    writeFileSync(at('rules.local.json'), JSON.stringify(local));
    for (const command of ['pin', 'veto', 'turn', 'pin']) await decide(command, idOf(html), idOf(sid));
    expect(entries()).toMatchObject([
      other,
      { pin: true, from: '.html' },
      { pin: true, name: 'sid', action: 'remove' },
    ]);
    expect(readFileSync(at('rules.local.json'), 'utf8')).toContain('"note": "ours"');
  });

  test('turns a rule round, and back under either id', async () => {
    const round = await decide('turn', idOf(html), idOf(sid), idOf(slash));
    expect(round.code).toBe(0);
    // A parameter that was removed has one value for all then.
    expect(round.stderr).toMatch(
      /\(the parameter `sid` is always written as `sid=1` .*\) gives the parameter this value/,
    );
    expect(round.stderr).toContain(`veto ${idOf(sid)} instead`);
    expect(await formOf('http://s.test/a?sid=2')).toBe('http://s.test/a/?sid=1');
    const turned = { ...html, from: '', to: '.html' };
    expect((await decide('turn', idOf(turned), idOf(sid), idOf(slash), '--undo')).stderr).toContain(
      'no longer decided',
    );
    expect(entries()).toEqual([]);
    const { code, stderr } = await decide('turn', idOf(sorted));
    expect([code, stderr]).toEqual([2, expect.stringContaining('cannot be turned')]);
  });

  test('says what it replaces, if that was another one', async () => {
    await decide('veto', idOf(html), '--note', 'not here');
    expect((await decide('pin', idOf(html))).stderr).toMatch(/: pinned, in place of the veto "not here", in /);
    expect((await decide('pin', idOf(html))).stderr).toMatch(/: pinned, in /);
    expect((await decide('turn', idOf(html))).stderr).toMatch(/in place of the pin the other way, in /);
    expect((await decide('veto', idOf(html))).stderr).toMatch(/: vetoed, in place of the pin, in /);
  });

  test('on a rule that was turned is found under its old id, also when the rules have only the new one', async () => {
    const turned = { ...html, from: '', to: '.html' };
    expect((await decide('turn', idOf(html))).stderr).toMatch(
      new RegExp(`^rule ${idOf(turned)} .*turned, and pinned \\(${idOf(html)} is its other way\\), in `),
    );
    writeFileSync(at('rules.json'), [...writeRules(sampleFile([{ ...turned, pin: true }]))].join(''));
    expect(await decide('turn', idOf(html))).toMatchObject({ code: 0 });
    expect(entries()).toMatchObject([{ pin: true, from: '', to: '.html' }]);
    expect(await decide('turn', idOf(html), '--undo')).toMatchObject({ code: 0 });
    expect(entries()).toEqual([]);
  });

  test('by the name of a parameter is about all rules for it, and a veto is about those of later nights too', async () => {
    const below = sampleParameter('sid', { rank: 2, site: 's.test', scope: 'path', path: '//s.test/a' });
    const bare = sampleRule('?sid=9', '', { rank: 3, site: 's.test', anchor: 'end' });
    writeFileSync(at('rules.json'), [...writeRules(sampleFile([html, below, bare]))].join(''));
    const { code, stderr } = await decide('veto', 'sid', '--note', 'counts');
    expect([code, stderr.match(/: vetoed, in /g)]).toEqual([0, expect.objectContaining({ length: 2 })]);
    expect(entries()).toMatchObject([
      { veto: true, from: '?sid=9' },
      { veto: true, kind: 'parameter', name: 'sid', note: 'counts' },
    ]);
    expect(Object.keys(entries()[1]!)).toEqual(['veto', 'kind', 'name', 'note']);
    expect(await formOf('http://s.test/a?sid=9')).toBe('http://s.test/a?sid=9');
    writeFileSync(at('rules.json'), [...writeRules(file)].join(''));
    expect(await formOf('http://s.test/a?sid=2')).toBe('http://s.test/a?sid=2');
    expect((await decide('pin', 'sid')).code).toBe(0);
    expect(await formOf('http://s.test/a?sid=2')).toBe('http://s.test/a');
    expect((await decide('veto', 'sid', '--undo')).code).toBe(0);
    expect(entries()).toMatchObject([{ veto: true, from: '?sid=9' }]);
  });

  test('on a rule of one file warns of nothing with another file in the folder', async () => {
    await decide('veto', idOf(html), 'sid');
    const other = sampleRule('/x/', '/', { rank: 1, site: 'other.test' });
    writeFileSync(at('others.json'), [...writeRules(sampleFile([other]))].join(''));
    const { stderr } = await run(['canonize', '-r', at('others.json'), 'http://other.test/x/']);
    expect(stderr).not.toContain('.html');
  });

  test('and all rules in use are listed by `rules`, a sentence each, at any width', async () => {
    const aff = sampleParameter('aff', { rank: 5, site: 's.test' });
    const likely = sampleParameter('q', { rank: 6, site: 's.test', status: 'likely' });
    writeFileSync(at('rules.json'), [...writeRules(sampleFile([html, sid, aff, likely]))].join(''));
    await decide('veto', 'sid');
    const { code, stdout } = await run(['rules', at('rules.json')]);
    expect(code).toBe(0);
    const text = stdout.toString();
    expect(text).toContain(`${idOf(html)}  \`.html\` at the end is dropped.`);
    expect(text).toContain('(a key, not for redirects: may mean money or choice)');
    expect(text).toContain('1 rule may mean money or choice (aff)');
    expect(text).not.toContain('`sid`');
    expect(text).toContain('Not shown: 1 likely rule, 1 rule that is refuted or vetoed');
  });

  test.each([
    ['.html⟩ → ⟩'],
    [' .html⟩   ->   ⟩'],
    ['`.html` at the end is dropped.'],
    ['sid=... => ε', 'sid'],
    ['A slash at the end of the path is dropped on every page.', 'step'],
    [idOf(html).slice(0, 4).toUpperCase()],
  ])('takes a rule as it is written: %s', async (name, field = 'from') => {
    expect(await decide('pin', name)).toMatchObject({ code: 0 });
    expect(JSON.stringify(entries())).toContain(field);
  });

  test.each([
    ['zzzz0000', /no rule is "zzzz0000"; expected an id such as/],
    ['2', new RegExp(`2 is a rank, .* ${idOf(sid)}\n$`)],
  ])('about %s is refused, and writes nothing', async (name, message) => {
    const { code, stderr } = await decide('pin', idOf(html), name);
    expect([code, stderr]).toEqual([2, expect.stringMatching(message)]);
    expect(existsSync(at('rules.local.json'))).toBe(false);
  });

  test('about a rule of two sites asks which', async () => {
    const other = { ...html, rank: 2, site: 't.test' };
    writeFileSync(at('rules.json'), [...writeRules(sampleFile([html, other]))].join(''));
    const { code, stderr } = await decide('pin', '.html⟩ → ⟩');
    expect([code, stderr]).toEqual([2, expect.stringMatching(/names 2 rules; .* of s\.test, .* of t\.test\n$/)]);
  });

  test('is not added to a file that everybody may write to', async () => {
    writeFileSync(at('rules.local.json'), '{"format":"dustbuster-local","version":1,"rules":[]}');
    chmodSync(at('rules.local.json'), 0o666);
    expect((await decide('pin', idOf(html))).stderr).toContain('everybody may write to it');
    expect(await decide('pin', idOf(html), '--local', at('rules.local.json'))).toMatchObject({ code: 0 });
  });
});

describe('--list', () => {
  const listed = async () => {
    const { code, stdout, stderr } = await decide('pin', '--list');
    expect([code, stderr]).toEqual([0, '']);
    return stdout.toString().replaceAll(/ {2,}/g, ' | ').split('\n').slice(0, -1);
  };

  test('without any says so', async () => expect(await listed()).toEqual(['No rule is pinned or vetoed.']));

  test('has every decision, and what becomes of it', async () => {
    const pins = [
      { pin: true, from: '.html', to: '', anchor: 'end', site: 's.test', note: 'old links' },
      { pin: true, from: 'x', to: 'y', site: 'www.s.test' },
    ];
    const vetoes = [
      { veto: true, name: 'sid' },
      { veto: true, kind: 'step' },
      { veto: true, name: 'lang', note: 'on other sites' },
    ];
    const rules = [...pins, ...vetoes];
    writeFileSync(at('rules.local.json'), JSON.stringify({ format: 'dustbuster-local', version: 1, rules }));
    const [head, ...rows] = await listed();
    expect(head).toBe('decision | id | site | effect | note | rule');
    expect(rows.toSorted((a, b) => (a.replace(/\w{8}/, '') < b.replace(/\w{8}/, '') ? -1 : 1))).toEqual([
      expect.stringMatching(
        /^pin \| \w{8} \| s\.test \| applied, as it would be without the pin \| old links \| `\.html` at the end is dropped\.$/,
      ),
      expect.stringMatching(
        /^pin \| \w{8} \| www\.s\.test \| none: rules belong to a .*; say s\.test \| `x` becomes `y` wherever it stands\.$/,
      ),
      expect.stringMatching(
        /^veto \| \w{8} \| s\.test \| not applied \| The parameter `sid` is dropped on every page\.$/,
      ),
      'veto | 2 rules not applied | {"kind":"step"}',
      'veto | none: it matches no rule of the file | on other sites | {"name":"lang"}',
    ]);
  });

  test('has the marks of a rules file, and those that a copy of it has kept', async () => {
    const marked = [
      { ...html, veto: true } as const,
      { ...sid, veto: 'local' } as const,
      { ...slash, pin: true } as const,
    ];
    writeFileSync(at('rules.json'), [...writeRules(sampleFile(marked))].join(''));
    expect((await listed()).slice(1).map((row) => row.split(' | ')[0])).toEqual(['pin', 'veto', 'veto']);
  });

  test('takes no decision, and a decision needs a rule', async () => {
    for (const more of [[idOf(html)], ['--undo'], ['--note', 'x']])
      expect(await decide('pin', '--list', ...more)).toMatchObject({ code: 2 });
    expect(await decide('veto')).toMatchObject({ code: 2, stderr: expect.stringContaining('got no rule; expected') });
    expect(existsSync(at('rules.local.json'))).toBe(false);
  });
});

describe('a pin that can have no effect says so', () => {
  const pinned = async (...rules: object[]) => {
    writeFileSync(at('rules.local.json'), JSON.stringify({ format: 'dustbuster-local', version: 1, rules }));
    return (await run(['canonize', '-r', at('rules.json'), '/a'])).stderr;
  };

  test('because a veto matches, also to who pins it', async () => {
    await pinned({ veto: true, site: 's.test' });
    expect((await decide('pin', idOf(html))).stderr).toMatch(/has no effect: a veto matches .*wins\n$/);
  });

  test.each([
    [{ pin: true, from: 'a', to: 'b', site: 'www.s.test' }, /no URL to www\.s\.test; say s\.test\n/],
    [{ pin: true, from: 'a#b', to: 'b' }, /no URL has "#"/],
    [
      { pin: true, from: 'http://S.test/', to: 'http://t.test/', anchor: 'start' },
      /normalized before, to http:\/\/s\.test\//,
    ],
  ])('because of what it says: %j', async (pin, message) => expect(await pinned(pin)).toMatch(message));

  test('and one that can says nothing', async () => {
    const rule = { pin: true, from: 'x', to: 'y', site: 's.test' };
    expect(await pinned(rule, { ...rule, from: 'http://www.s.test/', to: '/', anchor: 'none' })).not.toContain(
      'no effect',
    );
  });
});
