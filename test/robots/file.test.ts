import { describe, expect, it } from 'vitest';
import { parseRobots, robotNames } from '../../src/robots/file.js';
import { LINE_ENDS, PUBLISHED, type PublishedCases } from './cases.js';

const rulesOf = (text: string | Uint8Array, userAgent = 'dustbuster/1.0') =>
  parseRobots(Buffer.from(text as string), robotNames(userAgent));

describe('the rules of a robots.txt', () => {
  const disallows = (rules: string, path: string) => !rulesOf(`User-agent: *\n${rules}\n`).judge(path).allowed;

  it.each([
    ['a prefix', '/private', '/private', '/privately?y', '/priv', '/a/private'],
    ['a folder', '/private/', '/private/x', '/private/?a', '/private', '/private2/'],
    ['a query', '/*?sid=', '/a?sid=1', '/?sid=', '/a?x&sid=1', '/a'],
    ['any path', '/*.pdf$', '/a.pdf', '/b/c.pdf', '/a.pdf?x', '/a.pdfs'],
    ['brackets', '/*?filter[]=', '/a?filter[]=1', '/a?filter%5B%5D=1', '/a?filter', '/filter'],
    ['characters that need an escape', '/a|b^c{d}`e', '/a|b^c{d}`e', '/a%7Cb%5Ec%7Bd%7D%60e/f', '/a', '/a|b'],
    ['quotes', "/it's", "/it's", '/it%27s', '/its', '/it'],
    ['quotes in a query', "/?q='", "/?q='x", '/?q=%27', '/?q=', '/?q'],
    ['letters beyond ASCII', '/é', '/%C3%A9', '/%c3%a9/x', '/e', '/%C3%A8'],
    ['escapes in lower case', '/%c3%a9', '/%C3%A9', '/%c3%A9', '/%C3', '/é'.replace('é', 'e')],
    ['escaped unreserved characters', '/%7Euser', '/~user', '/%7euser', '/user', '/%7Fuser'],
    ['unreserved characters in the URL', '/private', '/%70rivate', '/priv%61te', '/%50rivate', '/p%2572ivate'],
    ['an escaped slash, which is none', '/a%2Fb', '/a%2Fb', '/a%2fb/c', '/a/b', '/a'],
    ['an escaped star, which is none', '/a%2Ab', '/a%2Ab', '/a%2ab', '/axb', '/aXXb'],
    ['double slashes', '//x', '//x', '//x/y', '/x', '/a//x'],
    ['semicolons', '/*;jsessionid', '/a;jsessionid=1', '/;jsessionid', '/a?x', '/a;x'],
    ['where dot segments lead', '/private', '/a/../private', '/./private', '/private/../a', '/private/..'],
  ])('match %s: Disallow: %s', (_name, rule, inside, insideToo, outside, outsideToo) => {
    expect([inside, insideToo, outside, outsideToo].map((path) => disallows(`Disallow: ${rule}`, path))).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });

  it('use the longest match, and allow if two are equally long', () => {
    const rules = 'Disallow: /a\nAllow: /a/b\nDisallow: /a/b/c\nAllow: /d\nDisallow: /d';
    expect(['/a', '/a/b', '/a/b/c', '/d'].map((path) => disallows(rules, path))).toEqual([true, false, true, false]);
  });

  it('name the line that decided', () => {
    const { judge } = rulesOf('# us\r\nUser-agent: *\r\nDisallow: /a*c\r\n\r\n\tAllow : /a/b/c # why\r\ndisalow /é');
    expect(judge('/abc')).toEqual({
      allowed: false,
      rule: { allows: false, pattern: '/a*c', line: 3, text: 'Disallow: /a*c' },
    });
    expect(judge('/a/b/c').rule).toMatchObject({ allows: true, line: 5, text: 'Allow : /a/b/c # why' });
    expect(judge('/%C3%A9').rule).toMatchObject({ allows: false, line: 6, text: 'disalow /%C3%A9' });
    expect(judge('/x')).toEqual({ allowed: true });
  });

  it('name the same line whatever ends lines', () => {
    const found = LINE_ENDS.map((text) => rulesOf(text, 'bar').judge('/other').rule?.line);
    expect(found).toEqual([6, 6, 6, 6, 6]);
  });

  it('name the first of lines that say the same', () => {
    const { judge } = rulesOf('User-agent: *\nDisallow: /a\nDisallow: /a\nDisallow: /b*\nAllow: /b*\nAllow: /b*');
    expect(['/a', '/b'].map((path) => judge(path).rule?.line)).toEqual([2, 5]);
  });

  it('never apply to robots.txt itself', () => {
    expect(['/robots.txt', '/robots.txt?x'].map((path) => disallows('Disallow: /', path))).toEqual([false, false]);
    expect(disallows('Disallow: /', '/robots.txt/x')).toBe(true);
  });

  it('are found in any form of the file', () => {
    for (const text of [
      '\ufeffUser-agent: *\r\nDisallow: /x',
      'user-AGENT:*\rDISALLOW:/x   # why',
      '<html>\n\0\nUser-agent: *\nfoo\nDisallow: /x\nDisallow',
      'useragent : *\ndissallow: /x',
      'User agent: *\nDisallowed: /x',
    ]) {
      expect(rulesOf(text).judge('/x').allowed).toBe(false);
      expect(rulesOf(text).judge('/y').allowed).toBe(true);
    }
    const latin1 = Buffer.from('User-agent: *\nDisallow: /caf\xe9', 'latin1');
    expect(['/caf%E9', '/caf%C3%A9'].map((path) => rulesOf(latin1).judge(path).allowed)).toEqual([false, true]);
    const blank = Buffer.from('User-agent: *\nDisallow: /voil\u00e0'); // its last byte is a blank in Latin-1
    expect(['/voil%C3%A0', '/voil%C3%A1'].map((path) => rulesOf(blank).judge(path).allowed)).toEqual([false, true]);
    expect(rulesOf('').judge('/').allowed).toBe(true);
  });

  it('leave out a line that is cut off after 500 KiB', () => {
    const filler = `User-agent: *\nDisallow: /a\n#${'x'.repeat(500 * 1024)}`.slice(0, 500 * 1024 - 13);
    const text = `${filler}\nDisallow: /b/c\n`;
    expect(text.slice(500 * 1024 - 12, 500 * 1024)).toBe('Disallow: /b');
    expect(['/a', '/b', '/b/c'].map((path) => rulesOf(text).judge(path).allowed)).toEqual([false, true, true]);
  });
});

describe('the group that applies', () => {
  it('is that which names us, else that for all', () => {
    const robots = rulesOf(
      'User-agent: *\nDisallow: /\n\nUser-agent: other\nUser-agent: DustBuster/2.0\nDisallow: /us\nCrawl-delay: 2.5\n',
    );
    expect(['/', '/us'].map((path) => robots.judge(path).allowed)).toEqual([true, false]);
    expect(robots.crawlDelaySeconds).toBe(2.5);
    expect(rulesOf('User-agent: dustbusters\nDisallow: /').judge('/').allowed).toBe(true);
    expect(rulesOf('User-agent: dust\nDisallow: /').judge('/').allowed).toBe(true);
  });

  it.each([
    ['dustbuster/1.0', ['dustbuster', '*']],
    ['DustBuster (+https://www.example.com/bot)', ['dustbuster', '*']],
    ['example-dust (+https://www.example.com/bot)', ['example-dust', 'dustbuster', '*']],
    ['Foo_Bot/2.1 dustbuster/1.0', ['foo_bot', 'dustbuster', '*']],
    ['Mozilla/5.0 (compatible; foobot/2.1)', ['mozilla', 'dustbuster', '*']],
    ['MJ12bot/1.4', ['mj', 'dustbuster', '*']],
    ['360bot/1.0', ['360bot', 'dustbuster', '*']],
    ['(a comment)', ['(a', 'dustbuster', '*']],
    ['/', ['dustbuster', '*']],
    ['*', ['*', 'dustbuster']],
  ])('is by the names of %j', (userAgent, names) => expect(robotNames(userAgent)).toEqual(names));

  it('is that of the product, else that of the program, else that for all', () => {
    const groups = [
      'User-agent: *\nDisallow: /all',
      'User-agent: dustbuster\nDisallow: /us',
      'User-agent: mine\nAllow:',
    ];
    const refusedBy = (...which: number[]) => {
      const { judge } = rulesOf(which.map((at) => groups[at]).join('\n\n'), 'mine/2 (me@example.com)');
      return ['/all', '/us'].filter((path) => !judge(path).allowed);
    };
    expect([refusedBy(0, 1, 2), refusedBy(1, 0), refusedBy(0), refusedBy()]).toEqual([[], ['/us'], ['/all'], []]);
  });

  it.each([
    ['5s', 5],
    ['5 s', 5],
    ['0.5', 0.5],
    ['.5', 0.5],
    ['5,', 5],
    ['10 # why', 10],
    ['Infinity', Infinity],
    ['-1', 0],
    ['soon', 0],
    ['s5', 0],
    ['', 0],
    ['NaN', 0],
  ])('has for a crawl-delay of %j one of %d s', (delay, seconds) => {
    expect(rulesOf(`User-agent: *\nCrawl-delay: ${delay}`).crawlDelaySeconds).toBe(seconds);
  });

  it('has the longest crawl-delay of its own, not of a group below', () => {
    const delays = 'User-agent: *\nCrawl-delay: 1\nUser-agent: slow\nCrawl-delay: 120\nUser-agent: *\nCrawl-delay: 3\n';
    expect(rulesOf(delays).crawlDelaySeconds).toBe(3);
    expect(rulesOf(delays, 'slow').crawlDelaySeconds).toBe(120);
    expect(rulesOf('Crawl-delay: 9\nUser-agent: *\nDisallow: /x').crawlDelaySeconds).toBe(0);
  });
});

describe('the published cases', () => {
  const each = PUBLISHED.map((row) => [row.source, row.about, row.otherwise ?? '', row] as const);

  it.each(each)('of %s: %s %s', (_source, _about, _otherwise, row) => {
    const found = verdicts(row);
    const as = row.otherwise === undefined;
    expect(found.filter(({ isAsPublished }) => isAsPublished !== as)).toEqual([]);
    expect(found.length).toBeGreaterThan(0);
  });

  it('hold but for nine', () => {
    const counts = { Google: [0, 0], RFC: [0, 0], rep: [0, 0] };
    for (const row of PUBLISHED) {
      for (const { isAsPublished } of verdicts(row)) counts[row.source][isAsPublished ? 0 : 1]!++;
    }
    expect(counts).toEqual({ Google: [150, 5], RFC: [39, 1], rep: [100, 3] });
  });

  function verdicts({ files, agents, allowed = [], refused = [] }: PublishedCases) {
    return files.flatMap((file) =>
      agents.flatMap((agent) => {
        const { judge } = rulesOf(Buffer.from(file, 'latin1'), agent);
        return [...allowed, ...refused].map((path, at) => ({
          agent,
          path,
          isAsPublished: judge(path).allowed === at < allowed.length,
        }));
      }),
    );
  }
});
