// Classes that whoever works on the learning of rules may look at. Those kept aside are in aside.ts.
import { software } from './software.js';
import * as way from './ways.js';
import { rule } from './ways.js';

const CAMPAIGN = {
  utm_source: ['newsletter', 'partner', 'social', 'feed'],
  utm_medium: ['email', 'cpc', 'rss'],
  utm_campaign: ['spring', 'autumn', 'launch'],
};

export const OPEN = [
  software({
    name: 'forum',
    share: 12,
    templates: ['/viewtopic.php?t={id}', '/viewforum.php?f={n}', '/viewtopic.php?t={id}&start={n}0', '/'],
    mounts: ['/forum', '/board', '/phpbb'],
    rules: [
      rule(way.session('sid'), 0.95, 0.02, 3),
      rule(way.www, 0.85, 0.01, 2),
      rule(way.index('index.php'), 0.95, 0.01),
      rule(way.view('view', ['next', 'print']), 0, 0.6, 0.5),
      rule(way.scheme, 0.6, 0.005),
    ],
  }),
  software({
    name: 'weblog',
    share: 18,
    templates: [
      '/{year}/{month}/{slug}/',
      '/category/{section}/',
      '/tag/{word}/',
      '/?p={id}',
      '/category/{section}/page/{n}/',
    ],
    mounts: ['/blog'],
    rules: [
      rule(way.tracker(CAMPAIGN), 0.97, 0.002, 2),
      rule(way.www, 0.9, 0.01, 2),
      rule(way.scheme, 0.8, 0.003, 2),
      rule(way.slash, 0.9, 0.01, 2),
      rule(way.tracker({ fbclid: [] }), 0.9, 0.001),
      rule(way.prefix('/index.php'), 0.5, 0.01, 0.5),
      rule(way.index('index.php'), 0.9, 0.005),
    ],
  }),
  software({
    name: 'java-shop',
    share: 8,
    templates: [
      '/product/{slug}-{id}',
      '/catalog/{section}',
      '/catalog/{section}?page={n}',
      '/product/{slug}-{id}?lang={lang}',
    ],
    mounts: ['/shop', '/store'],
    rules: [
      rule(way.pathSession(';jsessionid='), 0.96, 0.002, 3),
      rule(way.tracker({ gclid: [] }), 0.9, 0.001),
      rule(way.view('sortBy', ['price', 'name', 'rating']), 0.7, 0.1),
      rule(way.standard('page', '1'), 0.7, 0.02, 0.7),
      rule(way.mobile('m'), 0.5, 0.02),
      rule(way.www, 0.8, 0.01),
    ],
  }),
  software({
    name: 'static-pages',
    share: 14,
    templates: ['/', '/{section}/', '/{section}/{word}/', '/{section}/{slug}.html', '/{word}.html'],
    rules: [
      rule(way.index('index.html'), 0.95, 0.02, 3),
      rule(way.www, 0.9, 0.02, 2),
      rule(way.doubleSlash, 0.8, 0.001),
      rule(way.extension('.html'), 0.4, 0.02),
      rule(way.scheme, 0.5, 0.01),
    ],
  }),
  software({
    name: 'windows-portal',
    share: 8,
    templates: ['/{section}/{slug}.aspx', '/{section}/', '/content/view.aspx?id={id}', '/{section}/list.aspx?page={n}'],
    rules: [
      rule(way.capitals, 0.85, 0.02, 2),
      rule(way.index('default.aspx'), 0.95, 0.005, 2),
      rule(way.pathSession('/(S(', '))', 'letters'), 0.4, 0.005),
      rule(way.view('print', ['1']), 0.8, 0.02),
      rule(way.scheme, 0.7, 0.01),
    ],
  }),
  software({
    name: 'gazette',
    share: 7,
    templates: ['/{section}/story?id={id}', '/{section}/{year}/{month}/{day}/', '/{section}/story?id={id}&page={n}'],
    rules: [
      rule(
        way.queryToPath('story', 'id', (folder, id) => `${folder}story_${id}`),
        0.9,
        0.01,
        3,
      ),
      rule(way.tracker({ src: ['home', 'rss', 'mail'], cmp: ['top', 'side'] }, 'pair'), 0.8, 0.005),
      rule(way.view('mode', ['print']), 0.7, 0.02),
      rule(way.www, 0.9, 0.005, 2),
      rule(way.session('vsid', 'hex16'), 0.5, 0.005),
    ],
  }),
  // Here `sid` is the number of a section, on every host.
  software({
    name: 'sections',
    share: 6,
    templates: ['/page.php?sid={id}', '/page.php?sid={id}&item={id}', '/list.php?sid={id}&page={n}', '/'],
    mounts: ['/cms'],
    rules: [
      rule(way.session('PHPSESSID'), 0.9, 0.001, 3),
      rule(way.www, 0.9, 0.01),
      rule(way.index('index.php'), 0.9, 0.01),
      rule(way.tracker({ trk: [] }), 0.5, 0.01),
    ],
  }),
  software({
    name: 'wiki',
    share: 8,
    templates: [
      '/wiki/{Title}',
      '/wiki/{Word}',
      '/index.php?title={Title}&oldid={id}',
      '/index.php?title={Title}&action=history',
    ],
    rules: [
      rule(way.view('redirect', ['no']), 0.85, 0.01, 2),
      rule(way.view('printable', ['yes']), 0.8, 0.01),
      rule(way.mobile('m'), 0.6, 0.01),
      rule(way.scheme, 0.8, 0.002, 2),
      rule(way.capitals, 0, 0.6, 0.5),
    ],
  }),
  software({
    name: 'directory',
    share: 5,
    templates: ['/{lang}/{section}/{slug}', '/{lang}/{section}', '/{lang}/place/{id}', '/{section}/{slug}'],
    rules: [
      rule(way.slash, 0.6, 0.15, 2),
      rule(way.prefix('/web'), 0.8, 0.01, 2),
      rule(way.session('visit', 'letters'), 0.8, 0.01, 2),
      rule(way.www, 0.7, 0.1),
    ],
  }),
  software({
    name: 'auctions',
    share: 6,
    templates: ['/item.cgi?item={id}', '/user.cgi?name={word}', '/browse.cgi?cat={id}&page={n}', '/help/{slug}.html'],
    mounts: ['/cgi-bin'],
    rules: [
      rule(way.session('token', 'number'), 0.85, 0.02, 3),
      rule(way.tracker({ afid: ['p11', 'p27', 'p90'], camp: [] }, 'pair'), 0.8, 0.005, 2),
      rule(way.view('layout', ['wide', 'list']), 0.6, 0.05),
      rule(way.doubleSlash, 0.5, 0.002),
    ],
  }),
  software({
    name: 'library',
    share: 5,
    templates: ['/record/{id}', '/record/{id}/details', '/search?subject={word}&page={n}', '/browse/{section}/{word}'],
    mounts: ['/opac'],
    rules: [
      rule(way.view('lng', ['en', 'de']), 0.2, 0.6),
      rule(way.slash, 0.9, 0.005, 2),
      rule(way.prefix('/public'), 0.7, 0.02),
      rule(way.session('opacsid', 'hex16'), 0.9, 0.001, 3),
    ],
  }),
  // Nothing of this class has two names but by its host.
  software({
    name: 'notes',
    share: 3,
    templates: ['/n/{hex}', '/n/{hex}/raw', '/u/{word}', '/u/{word}?page={n}'],
    rules: [rule(way.www, 0.5, 0.05), rule(way.session('sid'), 0, 0.5), rule(way.slash, 0, 0.4)],
  }),
];
