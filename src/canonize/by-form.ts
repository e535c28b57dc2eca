// Maps lines by a function from a URL to its form. For forms that do not come from rules alone.
import { NEWLINE, RETURN } from '../base/ascii.js';
import { isUrl } from '../url/form.js';
import type { LineCanonizer } from './canonizer.js';

export function createLinesByForm(formOf: (url: Uint8Array) => Uint8Array): LineCanonizer {
  const canonical = { bytes: new Uint8Array(0) as Uint8Array, start: 0, end: 0, isChanged: false, isUrl: false };
  function canonize(bytes: Uint8Array, start: number, end: number): void {
    const url = bytes.slice(start, end);
    canonical.isUrl = isUrl(url);
    const form = canonical.isUrl ? formOf(url) : url;
    canonical.isChanged = Buffer.compare(url, form) !== 0;
    canonical.bytes = form;
    canonical.start = 0;
    canonical.end = form.length;
  }
  return {
    canonical,
    canonizeLine(bytes, start, limit) {
      const newline = bytes.indexOf(NEWLINE, start);
      const stop = newline < 0 || newline > limit ? limit : newline;
      const end = stop > start && stop < limit && bytes[stop - 1] === RETURN ? stop - 1 : stop;
      canonize(bytes, start, end);
      return end;
    },
  };
}
