// Classes kept aside: whoever works on the learning of rules measures with them, and does not look at them.
import { software } from './software.js';
import * as way from './ways.js';
import { rule } from './ways.js';

export const ASIDE = [
  software({
    name: 'aside-1',
    share: 12,
    templates: ['/thread/{id}/{slug}', '/board/{section}', '/thread/{id}/{slug}?from={n}0', '/member/{word}'],
    mounts: ['/community', '/talk'],
    rules: [
      rule(way.session('s', 'hex32'), 0.93, 0.02, 3),
      rule(way.www, 0.85, 0.01, 2),
      rule(way.slash, 0.8, 0.02),
      rule(way.view('sort', ['newest', 'oldest']), 0.5, 0.15),
      rule(way.scheme, 0.6, 0.005),
    ],
  }),
  software({
    name: 'aside-2',
    share: 16,
    templates: ['/artikel/{slug}-{id}.html', '/thema/{section}/', '/thema/{section}/{n}/', '/archiv/{year}/{month}/'],
    rules: [
      rule(way.tracker({ wt_mc: ['mail.top', 'feed.all', 'social.a'], wt_cc1: [] }, 'pair'), 0.95, 0.002, 2),
      rule(way.mobile('mobil'), 0.7, 0.01, 2),
      rule(way.www, 0.9, 0.005, 2),
      rule(way.index('home.html'), 0.85, 0.01),
      rule(way.scheme, 0.8, 0.003),
    ],
  }),
  software({
    name: 'aside-3',
    share: 8,
    templates: ['/p/{slug}/{code}', '/c/{section}/{word}', '/c/{section}/{word}?seite={n}', '/marken/{word}'],
    mounts: ['/laden'],
    rules: [
      rule(way.pathSession(';sessid=', '', 'hex16'), 0.93, 0.003, 3),
      rule(way.tracker({ msclkid: [] }), 0.9, 0.001, 2),
      rule(way.view('ansicht', ['liste', 'kacheln']), 0.75, 0.05),
      rule(way.standard('seite', '1'), 0.7, 0.02),
      rule(way.www, 0.8, 0.01),
    ],
  }),
  software({
    name: 'aside-4',
    share: 12,
    templates: ['/', '/{word}/', '/{section}/{word}/', '/{section}/{year}/', '/{section}/{slug}.htm'],
    rules: [
      rule(way.index('index.htm'), 0.93, 0.02, 3),
      rule(way.www, 0.9, 0.02, 2),
      rule(way.doubleSlash, 0.7, 0.001),
      rule(way.extension('.htm'), 0.4, 0.03),
      rule(way.capitals, 0.5, 0.03),
    ],
  }),
  software({
    name: 'aside-5',
    share: 8,
    templates: ['/view.do?doc={id}', '/folder.do?path={word}', '/list.do?folder={id}&page={n}', '/{section}/'],
    mounts: ['/portal', '/app'],
    rules: [
      rule(way.session('ssn', 'number'), 0.9, 0.01, 3),
      rule(way.index('start.do'), 0.9, 0.005, 2),
      rule(
        way.queryToPath('view.do', 'doc', (folder, id) => `${folder}doc/${id}`),
        0.8,
        0.01,
        2,
      ),
      rule(way.scheme, 0.7, 0.01),
    ],
  }),
  // Here index files and folders are two documents, on every host.
  software({
    name: 'aside-6',
    share: 6,
    templates: ['/{section}/', '/{section}/{word}/', '/{section}/{word}/{slug}', '/'],
    rules: [
      rule(way.index('index.html'), 0, 0.8, 2),
      rule(way.session('tok', 'letters'), 0.9, 0.005, 3),
      rule(way.www, 0.9, 0.005, 2),
      rule(way.doubleSlash, 0.5, 0.005),
    ],
  }),
  software({
    name: 'aside-7',
    share: 7,
    templates: [
      '/show_bug?id={id}',
      '/show_bug?id={id}&comment={n}',
      '/milestone/{word}',
      '/browser/{section}/{word}?rev={id}',
    ],
    rules: [
      rule(way.view('format', ['html']), 0.85, 0.01, 2),
      rule(way.extension('.cgi'), 0.6, 0.01),
      rule(way.session('auth', 'hex16'), 0.7, 0.01, 2),
      rule(way.view('order', ['id', 'date']), 0.4, 0.3),
      rule(way.scheme, 0.9, 0.002, 2),
    ],
  }),
  software({
    name: 'aside-8',
    share: 7,
    templates: ['/{section}/{year}/{month}/{slug}', '/{section}', '/autor/{word}', '/{section}?p={n}'],
    rules: [
      rule(way.tracker({ xtor: ['RSS-1', 'EPR-2', 'AL-3'] }), 0.9, 0.005, 2),
      rule(way.prefix('/amp'), 0.6, 0.03, 2),
      rule(way.slash, 0.85, 0.01, 2),
      rule(way.www, 0.9, 0.01),
      rule(way.session('sid'), 0, 0.3),
    ],
  }),
  software({
    name: 'aside-9',
    share: 6,
    templates: ['/objekt.asp?nr={id}', '/liste.asp?ort={word}&s={n}', '/ort/{word}', '/'],
    rules: [
      rule(way.pathSession('/visit-', '', 'number'), 0.7, 0.01, 2),
      rule(way.index('default.asp'), 0.93, 0.005),
      rule(way.capitals, 0.85, 0.02, 2),
      rule(way.tracker({ kamp: ['a1', 'b2', 'c3'], quelle: ['mail', 'web'] }, 'pair'), 0.8, 0.01, 2),
    ],
  }),
  software({
    name: 'aside-10',
    share: 6,
    templates: ['/{lang}/{slug}', '/{lang}/{section}/{slug}', '/{slug}', '/{section}/{slug}?version={n}'],
    rules: [
      rule(way.prefix('/site'), 0.8, 0.01, 2),
      rule(way.extension('.php'), 0.7, 0.02, 2),
      rule(way.www, 0.6, 0.15),
      rule(way.session('cmssid', 'hex16'), 0.85, 0.005, 2),
    ],
  }),
  software({
    name: 'aside-11',
    share: 6,
    templates: ['/track/{id}', '/album/{id}/{slug}', '/artist/{word}', '/artist/{word}?tab={section}'],
    rules: [
      rule(way.tracker({ ref: ['player', 'share', 'mail'] }), 0.85, 0.02, 2),
      rule(way.mobile('mobile'), 0.7, 0.01, 2),
      rule(way.slash, 0.5, 0.2),
      rule(way.scheme, 0.8, 0.005),
      rule(way.session('PHPSESSID'), 0.6, 0.002),
    ],
  }),
  // Nothing here has two names; what looks like it names pages.
  software({
    name: 'aside-12',
    share: 3,
    templates: ['/d/{code}', '/d/{code}/{n}', '/q/{word}', '/q/{word}?lang={lang}'],
    rules: [rule(way.www, 0.3, 0.1), rule(way.session('sid'), 0, 0.4), rule(way.view('ref', ['a', 'b']), 0, 0.4)],
  }),
];
