// A plain list: one URL per line; blanks around it are ignored.
import { setSpan, type LineFormat } from './format.js';

export function createUrlList(): LineFormat {
  return {
    name: 'urls',
    plain: { kind: 'urls' },
    parse(bytes, start, end, fields) {
      let from = start;
      let to = end;
      while (from < to && bytes[from]! <= 0x20) from++;
      while (to > from && bytes[to - 1]! <= 0x20) to--;
      setSpan(fields.url, bytes, from, to);
      return null;
    },
  };
}

/** A line starts a URL list if it is a web address, or a path of one word. */
export function isUrlLine(line: string): boolean {
  return /^\s*(https?:\/\/\S|\/\S*\s*$)/i.test(line);
}
