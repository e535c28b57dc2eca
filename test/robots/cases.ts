// What is published of robots.txt: which paths does a file allow to which agent? Each row is all its files × all its
// agents × all its paths. The cases are those of
//
//   Google   robots_test.cc of github.com/google/robotstxt at 22b355f (2026-04-01): all 145 verdicts, and of the files
//            whose lines are counted there, and that begin with a byte order mark, a verdict each
//   RFC      the examples of RFC 9309, in the section named
//   rep      test-robots.cpp and test-agent.cpp of github.com/seomoz/rep-cpp at ca2ae84 (2024-01-11): all verdicts on paths
//
// A row with `otherwise` is not followed, for that reason.
export interface PublishedCases {
  readonly source: 'Google' | 'RFC' | 'rep';
  readonly about: string;
  readonly files: readonly string[];
  /** Product tokens, or `User-Agent` headers. */
  readonly agents: readonly string[];
  readonly allowed?: readonly string[];
  readonly refused?: readonly string[];
  readonly otherwise?: string;
}

const lines = (...all: string[]) => all.map((line) => `${line}\n`).join('');

/** Closed but for what the pattern allows, as in Google's documentation. */
const only = (pattern: string) => ({
  source: 'Google' as const,
  about: `what ${pattern} matches`,
  files: [lines('user-agent: FooBot', 'disallow: /', `allow: ${pattern}`)],
  agents: ['FooBot'],
});

const fooBot = (source: PublishedCases['source'], about: string, ...rules: string[]) => ({
  source,
  about,
  files: [lines('User-agent: FooBot', ...rules)],
  agents: ['FooBot'],
});

const CLOSED = lines('user-agent: FooBot', 'disallow: /');

const GROUPS = lines(
  'allow: /foo/bar/',
  '',
  'user-agent: FooBot',
  'disallow: /',
  'allow: /x/',
  'user-agent: BarBot',
  'disallow: /',
  'allow: /y/',
  '',
  '',
  'allow: /w/',
  'user-agent: BazBot',
  '',
  'user-agent: FooBot',
  'allow: /z/',
  'disallow: /',
);

/** Some spellings of keys and agents. */
const spellings = (agents: readonly string[]) => [
  lines(`USER-AGENT: ${agents[0]}`, 'ALLOW: /x/', 'DISALLOW: /'),
  lines(`user-agent: ${agents[1]}`, 'allow: /x/', 'disallow: /'),
  lines(`uSeR-aGeNt: ${agents[2]}`, 'AlLoW: /x/', 'dIsAlLoW: /'),
];

const ONLY_SPECIFIC = lines(
  'user-agent: FooBot',
  'allow: /',
  'user-agent: BarBot',
  'disallow: /',
  'user-agent: BazBot',
  'disallow: /',
);

/** A path that Google's parser cuts off, as `letter` repeated, within a line that begins with the key. */
const cutPath = (key: string, letter: string) => `/x/${letter.repeat(2083 * 8 - '/x/'.length - key.length + 1 - 3)}`;
const longLines = (letter: string) => lines(`allow: ${cutPath('allow: ', letter)}/qux`);

/** The same six lines, with line ends of all kinds. */
const SIX_LINES = ['User-Agent: foo', 'Allow: /some/path', 'User-Agent: bar', '', '', 'Disallow: /'];
const ENDED = ['\n', '\r\n', '\r'].map((end) => SIX_LINES.map((line) => line + end).join(''));
export const LINE_ENDS = [
  ...ENDED,
  SIX_LINES.join('\n'),
  'User-Agent: foo\nAllow: /some/path\r\nUser-Agent: bar\n\r\n\nDisallow: /',
];

/** Files are in Latin-1: bytes. */
const marked = (mark: string) => `${mark}User-Agent: foo\nDisallow: /AnyValue\n`;

/** RFC 9309, 5.1. */
const SIMPLE = lines(
  'User-Agent: *',
  'Disallow: *.gif$',
  'Disallow: /example/',
  'Allow: /publications/',
  '',
  'User-Agent: foobot',
  'Disallow:/',
  'Allow:/example/page.html',
  'Allow:/example/allowed.gif',
  '',
  'User-Agent: barbot',
  'User-Agent: bazbot',
  'Disallow: /example/page.html',
  '',
  'User-Agent: quxbot',
  '',
  'EOF',
);

const UTF8 = '\xe3\x83\x84';

const NOINDEX = lines(
  'User-agent: *',
  'Disallow: /content/2/',
  'User-agent: *',
  'Noindex: /gb.html',
  'Noindex: /content/2/',
  'User-agent: ia_archiver',
  'Disallow: /',
);

const DRAFT = lines(
  'User-agent: unhipbot',
  'Disallow: /',
  '',
  'User-agent: webcrawler',
  'User-agent: excite',
  'Disallow:',
  '',
  'User-agent: *',
  'Disallow: /org/plans.html',
  'Allow: /org/',
  'Allow: /serv',
  'Allow: /~mak',
  'Disallow: /',
);

const DRAFT_PATHS = [
  '/',
  '/index.html',
  '/server.html',
  '/services/fast.html',
  '/services/slow.html',
  '/orgo.gif',
  '/org/about.html',
  '/org/plans.html',
  '/%7Ejim/jim.html',
  '/%7Emak/mak.html',
];

const STARRED = [
  '/cats.html',
  '/cats/page.html',
  '/get/more/cats/page.html',
  '/kangaroos/page.html',
  '/heaps/of/kangaroos/page.html',
  '/kangaroosandkoalas/page.html',
];

export const PUBLISHED: readonly PublishedCases[] = [
  { source: 'Google', about: 'an empty file', files: [''], agents: ['FooBot', ''], allowed: ['/'] },
  { source: 'Google', about: 'no agent', files: [CLOSED], agents: [''], allowed: ['/'] },
  { source: 'Google', about: 'no URL', files: [CLOSED], agents: ['FooBot'], refused: ['/'] },
  { source: 'Google', about: 'lines', files: [CLOSED], agents: ['FooBot'], refused: ['/x/y'] },
  { source: 'Google', about: 'unknown keys', files: ['foo: FooBot\nbar: /\n'], agents: ['FooBot'], allowed: ['/x/y'] },
  {
    source: 'Google',
    about: 'colons that are missing',
    files: ['user-agent FooBot\ndisallow /\n'],
    agents: ['FooBot'],
    refused: ['/x/y'],
  },
  {
    source: 'Google',
    about: 'groups',
    files: [GROUPS],
    agents: ['FooBot'],
    allowed: ['/x/b', '/z/d'],
    refused: ['/y/c', '/foo/bar/'],
  },
  {
    source: 'Google',
    about: 'groups',
    files: [GROUPS],
    agents: ['BarBot'],
    allowed: ['/y/c', '/w/a'],
    refused: ['/z/d', '/foo/bar/'],
  },
  {
    source: 'Google',
    about: 'groups',
    files: [GROUPS],
    agents: ['BazBot'],
    allowed: ['/z/d'],
    refused: ['/foo/bar/'],
  },
  {
    source: 'Google',
    about: 'groups with other lines',
    files: [lines('User-agent: BarBot', 'Sitemap: https://foo.bar/sitemap', 'User-agent: *', 'Disallow: /')],
    agents: ['FooBot', 'BarBot'],
    refused: ['/'],
  },
  {
    source: 'Google',
    about: 'groups with other lines',
    files: [lines('User-agent: FooBot', 'Invalid-Unknown-Line: unknown', 'User-agent: *', 'Disallow: /')],
    agents: ['FooBot', 'BarBot'],
    refused: ['/'],
  },
  {
    source: 'Google',
    about: 'the case of keys',
    files: spellings(['FooBot', 'FooBot', 'FooBot']),
    agents: ['FooBot'],
    allowed: ['/x/y'],
    refused: ['/a/b'],
  },
  {
    source: 'Google',
    about: 'the case of agents',
    files: spellings(['FOO BAR', 'foo bar', 'FoO bAr']),
    agents: ['Foo', 'foo'],
    allowed: ['/x/y'],
    refused: ['/a/b'],
  },
  {
    source: 'Google',
    about: 'agents of two words in the file',
    files: [lines('User-Agent: *', 'Disallow: /', 'User-Agent: Foo Bar', 'Allow: /x/', 'Disallow: /')],
    agents: ['Foo'],
    allowed: ['/x/y'],
  },
  {
    source: 'Google',
    about: 'agents of two words',
    files: [lines('User-Agent: *', 'Disallow: /', 'User-Agent: Foo Bar', 'Allow: /x/', 'Disallow: /')],
    agents: ['Foo Bar'],
    refused: ['/x/y'],
    otherwise: 'an agent is a whole header here, and its product token is its beginning',
  },
  { source: 'Google', about: 'no group', files: ['', ONLY_SPECIFIC], agents: ['QuxBot'], allowed: ['/x/y'] },
  {
    source: 'Google',
    about: 'a group of its own before that for all',
    files: [lines('user-agent: *', 'allow: /', 'user-agent: FooBot', 'disallow: /')],
    agents: ['FooBot'],
    refused: ['/x/y'],
  },
  {
    source: 'Google',
    about: 'the group for all',
    files: [lines('user-agent: *', 'allow: /', 'user-agent: FooBot', 'disallow: /')],
    agents: ['BarBot'],
    allowed: ['/x/y'],
  },
  { ...fooBot('Google', 'the case of paths', 'disallow: /x/'), refused: ['/x/y'] },
  { ...fooBot('Google', 'the case of paths', 'disallow: /X/'), allowed: ['/x/y'] },
  { ...fooBot('Google', 'the longest', 'disallow: /x/page.html', 'allow: /x/'), refused: ['/x/page.html'] },
  {
    ...fooBot('Google', 'the longest', 'allow: /x/page.html', 'disallow: /x/'),
    allowed: ['/x/page.html'],
    refused: ['/x/'],
  },
  { ...fooBot('Google', 'empty rules', 'disallow: ', 'allow: '), allowed: ['/x/page.html'] },
  { ...fooBot('Google', 'as long', 'disallow: /', 'allow: /'), allowed: ['/x/page.html'] },
  { ...fooBot('Google', 'the longest', 'disallow: /x', 'allow: /x/'), allowed: ['/x/'], refused: ['/x'] },
  { ...fooBot('Google', 'as long', 'disallow: /x/page.html', 'allow: /x/page.html'), allowed: ['/x/page.html'] },
  {
    ...fooBot('Google', 'the longest', 'allow: /page', 'disallow: /*.html'),
    allowed: ['/page'],
    refused: ['/page.html'],
  },
  {
    ...fooBot('Google', 'the longest', 'allow: /x/page.', 'disallow: /*.html'),
    allowed: ['/x/page.html'],
    refused: ['/x/y.html'],
  },
  {
    source: 'Google',
    about: 'a group without a rule for the path',
    files: [lines('User-agent: *', 'Disallow: /x/', 'User-agent: FooBot', 'Disallow: /y/')],
    agents: ['FooBot'],
    allowed: ['/x/page'],
    refused: ['/y/page'],
  },
  {
    ...only('/foo/bar?qux=taz&baz=http://foo.bar?tar&par'),
    allowed: ['/foo/bar?qux=taz&baz=http://foo.bar?tar&par'],
  },
  { ...only(`/foo/bar/${UTF8}`), allowed: ['/foo/bar/%E3%83%84'] },
  { ...only('/foo/bar/%E3%83%84'), allowed: ['/foo/bar/%E3%83%84'] },
  ...[`/foo/bar/${UTF8}`, '/foo/bar/%E3%83%84'].map((pattern) => ({
    ...only(pattern),
    refused: ['/foo/bar/ツ'],
    otherwise: 'a request is escaped before it is sent, and so before it is judged',
  })),
  { ...only('/foo/bar/%62%61%7A'), allowed: ['/foo/bar/%62%61%7A'] },
  {
    ...only('/foo/bar/%62%61%7A'),
    refused: ['/foo/bar/baz'],
    otherwise: 'RFC 9309, 2.2.2 unescapes unreserved characters: its table has this very row',
  },
  {
    ...fooBot('Google', 'stars', 'Disallow: /foo/bar/quz', 'Allow: /foo/*/qux'),
    allowed: ['/foo/quz', '/foo//quz', '/foo/bax/quz'],
    refused: ['/foo/bar/quz'],
  },
  {
    ...fooBot('Google', 'ends', 'Disallow: /foo/bar$', 'Allow: /foo/bar/qux'),
    allowed: ['/foo/bar/qux', '/foo/bar/', '/foo/bar/baz'],
    refused: ['/foo/bar'],
  },
  {
    ...fooBot('Google', 'comments', '# Disallow: /', 'Disallow: /foo/quz#qux', 'Allow: /'),
    allowed: ['/foo/bar'],
    refused: ['/foo/quz'],
  },
  {
    source: 'Google',
    about: 'index.html',
    files: [lines('User-Agent: *', 'Allow: /allowed-slash/index.html', 'Disallow: /')],
    agents: ['foobot'],
    allowed: ['/allowed-slash/index.html'],
    refused: ['/allowed-slash/index.htm', '/anyother-url'],
  },
  {
    source: 'Google',
    about: 'index.html',
    files: [lines('User-Agent: *', 'Allow: /allowed-slash/index.html', 'Disallow: /')],
    agents: ['foobot'],
    allowed: ['/allowed-slash/'],
    otherwise: 'only Google allows this; in doubt, nothing is asked for',
  },
  {
    ...fooBot('Google', 'lines that are cut off', `disallow: ${cutPath('disallow: ', 'a')}/qux`),
    allowed: ['/fux'],
    refused: [`${cutPath('disallow: ', 'a')}/fux`],
  },
  {
    source: 'Google',
    about: 'lines that are cut off',
    files: [CLOSED + longLines('a') + longLines('b')],
    agents: ['FooBot'],
    allowed: [`${cutPath('allow: ', 'a')}/qux`, `${cutPath('allow: ', 'b')}/fux`],
    refused: ['/'],
  },
  ...['/fish', '/fish*'].map((pattern) => ({
    ...only(pattern),
    allowed: [
      '/fish',
      '/fish.html',
      '/fish/salmon.html',
      '/fishheads',
      '/fishheads/yummy.html',
      '/fish.html?id=anything',
    ],
    refused: ['/bar', pattern === '/fish' ? '/Fish.asp' : '/Fish.bar', '/catfish', '/?id=fish'],
  })),
  {
    ...only('/fish/'),
    allowed: ['/fish/', '/fish/salmon', '/fish/?salmon', '/fish/salmon.html', '/fish/?id=anything'],
    refused: ['/bar', '/fish', '/fish.html', '/Fish/Salmon.html'],
  },
  {
    ...only('/*.php'),
    allowed: [
      '/filename.php',
      '/folder/filename.php',
      '/folder/filename.php?parameters',
      '//folder/any.php.file.html',
      '/filename.php/',
      '/index?f=filename.php/',
    ],
    refused: ['/bar', '/php/', '/index?php', '/windows.PHP'],
  },
  {
    ...only('/*.php$'),
    allowed: ['/filename.php', '/folder/filename.php'],
    refused: [
      '/bar',
      '/filename.php?parameters',
      '/filename.php/',
      '/filename.php5',
      '/php/',
      '/filename?php',
      '/aaaphpaaa',
      '//windows.PHP',
    ],
  },
  {
    ...only('/fish*.php'),
    allowed: ['/fish.php', '/fishheads/catfish.php?parameters'],
    refused: ['/bar', '/Fish.PHP'],
  },
  { ...fooBot('Google', 'precedence', 'allow: /p', 'disallow: /'), allowed: ['/page'] },
  { ...fooBot('Google', 'precedence', 'allow: /folder', 'disallow: /folder'), allowed: ['/folder/page'] },
  { ...fooBot('Google', 'precedence', 'allow: /page', 'disallow: /*.htm'), refused: ['/page.htm'] },
  { ...fooBot('Google', 'precedence', 'allow: /$', 'disallow: /'), allowed: ['/'], refused: ['/page.html'] },
  { source: 'Google', about: 'line ends', files: LINE_ENDS, agents: ['bar'], refused: ['/other'] },
  {
    source: 'Google',
    about: 'byte order marks, also the beginning of one',
    files: ['\xef\xbb\xbf', '\xef\xbb', '\xef'].map(marked),
    agents: ['foo'],
    refused: ['/AnyValue'],
  },
  {
    source: 'Google',
    about: 'byte order marks that are none',
    files: [marked('\xef\x11\xbf'), 'User-Agent: foo\n\xef\xbb\xbfDisallow: /AnyValue\n'],
    agents: ['foo'],
    allowed: ['/AnyValue'],
  },

  {
    source: 'RFC',
    about: '2.2.1: groups for one agent',
    files: [
      lines(
        'user-agent: ExampleBot',
        'disallow: /foo',
        'disallow: /bar',
        '',
        'user-agent: ExampleBot',
        'disallow: /baz',
      ),
    ],
    agents: ['ExampleBot', 'examplebot/1.0'],
    allowed: ['/qux'],
    refused: ['/foo', '/bar', '/baz'],
  },
  { ...fooBot('RFC', '2.2.2: a query', 'disallow: /foo/bar?baz=quz'), refused: ['/foo/bar?baz=quz'] },
  {
    ...fooBot('RFC', '2.2.2: reserved characters of a query', 'disallow: /foo/bar?baz=https://foo.bar'),
    refused: ['/foo/bar?baz=https%3A%2F%2Ffoo.bar'],
    otherwise: 'a path `/*/b` should match in a query too, as elsewhere: then `/` cannot be `%2F` there',
  },
  ...[`/foo/bar/${UTF8}`, '/foo/bar/%E3%83%84'].map((path) => ({
    ...fooBot('RFC', '2.2.2: characters beyond ASCII', `disallow: ${path}`),
    refused: ['/foo/bar/%E3%83%84'],
  })),
  { ...fooBot('RFC', '2.2.2: unreserved characters', 'disallow: /foo/bar/%62%61%7A'), refused: ['/foo/bar/baz'] },
  { ...fooBot('RFC', '2.2.3: #', 'disallow: / # comment in line', '# comment on its own line'), refused: ['/x'] },
  {
    ...fooBot('RFC', '2.2.3: $', 'disallow: /this/path/exactly$'),
    allowed: ['/this/path/exactly/x'],
    refused: ['/this/path/exactly'],
  },
  {
    ...fooBot('RFC', '2.2.3: *', 'disallow: /this/*/exactly'),
    allowed: ['/this/exactly'],
    refused: ['/this/path/exactly', '/this/path/x/exactly'],
  },
  {
    ...fooBot('RFC', '2.2.3: escapes', 'disallow: /path/file-with-a-%2A.html', 'disallow: /path/foo-%24'),
    allowed: ['/path/file-with-a-b.html', '/path/foo-'],
    refused: ['/path/file-with-a-*.html', '/path/foo-$'],
  },
  {
    source: 'RFC',
    about: '5.1: the group for all',
    files: [SIMPLE],
    agents: ['otherbot'],
    allowed: ['/publications/a.gif', '/'],
    refused: ['/a.gif', '/example/page.html'],
  },
  {
    source: 'RFC',
    about: '5.1: foobot',
    files: [SIMPLE],
    agents: ['foobot'],
    allowed: ['/example/page.html', '/example/allowed.gif'],
    refused: ['/', '/publications/'],
  },
  {
    source: 'RFC',
    about: '5.1: two agents',
    files: [SIMPLE],
    agents: ['barbot', 'bazbot'],
    allowed: ['/a.gif', '/example/'],
    refused: ['/example/page.html'],
  },
  { source: 'RFC', about: '5.1: an empty group', files: [SIMPLE], agents: ['quxbot'], allowed: ['/example/page.html'] },
  {
    ...fooBot('RFC', '5.2: the longest', 'Allow: /example/page/', 'Disallow: /example/page/disallowed.gif'),
    allowed: ['/example/page/a.gif'],
    refused: ['/example/page/disallowed.gif'],
  },

  {
    source: 'rep',
    about: 'rules before the first agent',
    files: [lines('Disallow: /path', 'Allow: /path/exception', 'Crawl-delay: 5.2')],
    agents: ['agent'],
    allowed: ['/path/exception'],
  },
  {
    source: 'rep',
    about: 'rules before the first agent',
    files: [lines('Disallow: /path', 'Allow: /path/exception', 'Crawl-delay: 5.2')],
    agents: ['agent'],
    refused: ['/path'],
    otherwise: 'a rule belongs to the agents named before it (RFC 9309, 2.1), and there are none',
  },
  {
    source: 'rep',
    about: 'the group for all',
    files: [lines('User-agent: *', 'Disallow: /tmp', '', 'User-agent: other-agent', 'Allow: /tmp')],
    agents: ['agent'],
    allowed: ['/path'],
    refused: ['/tmp'],
  },
  {
    source: 'rep',
    about: 'a group of its own',
    files: [lines('User-agent: *', 'Disallow: /tmp', '', 'User-agent: agent', 'Allow: /tmp')],
    agents: ['agent'],
    allowed: ['/tmp', '/path'],
  },
  {
    source: 'rep',
    about: 'two agents',
    files: [lines('User-agent: one', 'User-agent: two', 'Disallow: /tmp')],
    agents: ['one', 'two'],
    refused: ['/tmp'],
  },
  { source: 'rep', about: 'unknown keys in a group', files: [NOINDEX], agents: ['ia_archiver'], refused: ['/bar'] },
  {
    source: 'rep',
    about: 'unknown keys in a group',
    files: [NOINDEX],
    agents: ['agent'],
    allowed: ['/foo'],
    otherwise: 'lines of other kinds end no group (RFC 9309, 2.2.1), so both agents are named before the last rule',
  },
  {
    source: 'rep',
    about: 'the case of agents',
    files: [lines('User-agent: Agent', 'Disallow: /path')],
    agents: ['agent', 'aGeNt'],
    refused: ['/path'],
  },
  { source: 'rep', about: 'an empty file', files: [''], agents: ['agent'], allowed: ['/'] },
  {
    source: 'rep',
    about: 'a comment behind an agent',
    files: [lines("User-Agent: *  # comment saying it's the default agent", 'Disallow: /')],
    agents: ['agent'],
    refused: ['/path'],
  },
  { ...fooBot('rep', 'path parameters', 'Disallow: /path;params?query'), refused: ['/path;params?query'] },
  {
    ...fooBot('rep', 'a line without a colon', 'Disallow /no/colon/in/this/line'),
    allowed: ['/no/colon/in/this/line'],
    otherwise: 'Google reads such a line, and in doubt nothing is asked for',
  },
  {
    source: 'rep',
    about: 'the draft of 1996: an agent that is shut out',
    files: [DRAFT],
    agents: ['unhipbot'],
    allowed: ['/robots.txt'],
    refused: DRAFT_PATHS,
  },
  {
    source: 'rep',
    about: 'the draft of 1996: agents that may fetch all',
    files: [DRAFT],
    agents: ['webcrawler', 'excite'],
    allowed: ['/robots.txt', ...DRAFT_PATHS],
  },
  {
    source: 'rep',
    about: 'the draft of 1996: all others',
    files: [DRAFT],
    agents: ['anything'],
    allowed: [
      '/robots.txt',
      '/server.html',
      '/services/fast.html',
      '/services/slow.html',
      '/org/about.html',
      '/%7Emak/mak.html',
    ],
    refused: ['/', '/index.html', '/orgo.gif', '/org/plans.html', '/%7Ejim/jim.html'],
  },
  {
    source: 'rep',
    about: 'a byte order mark',
    files: [lines('\xef\xbb\xbfUser-agent: *', 'disallow: /disallowed')],
    agents: ['bot'],
    allowed: ['/'],
    refused: ['/disallowed'],
  },
  {
    ...fooBot('rep', 'whole URLs', 'Allow: /path', 'Disallow: http://b.com/external'),
    allowed: ['/path', '/external', '/elsewhere'],
  },
  {
    ...fooBot('rep', 'whole URLs', 'Disallow: /path', 'Allow: http://b.com/path/external'),
    refused: ['/path', '/path/external'],
  },
  {
    ...fooBot('rep', 'stars at the beginning', 'Disallow: /', 'Allow: ****/cats', 'Allow: */kangaroos'),
    allowed: STARRED,
    refused: ['/kangaroo/zebra/cat/page.html'],
  },
  {
    ...fooBot('rep', 'stars at the beginning', 'Allow: /', 'Disallow: ****/cats', 'Disallow: */kangaroos'),
    allowed: ['/kangaroo/zebra/cat/page.html'],
    refused: STARRED,
  },
  {
    ...fooBot('rep', 'the longest', 'Disallow: /path', 'Allow: /path/exception'),
    allowed: ['/path/exception'],
    refused: ['/path'],
  },
  { ...fooBot('rep', 'robots.txt itself', 'Disallow: /robots.txt'), allowed: ['/robots.txt'] },
  { ...fooBot('rep', 'an empty rule', 'Disallow:'), allowed: ['/anything'] },
  {
    ...fooBot('rep', 'a star in the middle', 'Disallow: /test*foo'),
    allowed: ['/testfo', '/estfoo'],
    refused: ['/testfoo', '/testafoo', '/testaasdffoo', '/test/foo'],
  },
  ...['/a%3cd.html', '/a<d.html', '/a%3c*', '/a<*'].map((pattern) => ({
    ...fooBot('rep', 'escapes', `Disallow: ${pattern}`),
    refused: ['/a<d.html', '/a%3cd.html'],
  })),
  { ...fooBot('rep', 'a query alone', 'Disallow: /?'), allowed: ['/'], refused: ['/?query'] },
  { ...fooBot('rep', 'parameters alone', 'Disallow: /;'), allowed: ['/'], refused: ['/;params'] },
];
