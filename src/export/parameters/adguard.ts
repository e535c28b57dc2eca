// Rules for AdGuard and uBlock Origin: `$removeparam` takes a parameter out of a request.
//
//     ||example.com^$removeparam=sid            the site, with the hosts below it
//     |https://www.example.com/a/$removeparam=sid   one host, paths that begin with /a/
//     $removeparam=sid                          everywhere
//
// A `^` stands for the end of the host. Only `&` separates fields. (AdGuard, How to create your own ad filters,
// $removeparam modifier.)
import { headingLines } from '../heading.js';
import type { ExportRequest, Exported, Target } from '../target.js';
import { removalsOf, type Removal } from './removal.js';

const usage = `A filter list for AdGuard and uBlock Origin ($removeparam): add it under custom filters. It removes
fields between & only.`;

export const adguard: Target = {
  name: 'adguard',
  summary: 'a filter list for AdGuard and uBlock Origin ($removeparam)',
  usage,
  write(request: ExportRequest): Exported {
    const { removals, left } = removalsOf(request, ({ isWhole }) => (isWhole ? 'is for one path only' : undefined));
    const heading = ['Title: Parameters without effect', ...headingLines(request, usage, left)];
    const lines = removals.flatMap((removal) => patternsOf(removal).map((one) => `${one}$removeparam=${removal.name}`));
    const text = [...heading.map((line) => `! ${line}`.trimEnd()), ...new Set(lines), ''].join('\n');
    return { text, carried: removals.map(({ rule }) => rule), left };
  },
};

function patternsOf({ host, isBelow, path }: Removal): readonly string[] {
  if (host === '') return path === '' ? [''] : [`/^https?:\\/\\/[^\\/?]*${path.replace(/[/.]/g, '\\$&')}/`];
  const end = path === '' ? '^' : path;
  return isBelow ? [`||${host}${end}`] : [`|http://${host}${end}`, `|https://${host}${end}`];
}
