// Byte strings that are nearly URLs: made of parts with which normalization and splitting have to be careful.
import { Buffer } from 'node:buffer';
import fc from 'fast-check';

const fragments = [
  'http:// HTTPS:// ftp:// Host h [::1] [ ] :80 :443 : @ u:P@ www.A.de',
  '/ // . .. /./ /../ %2e %2E %2f %2F ? & ; = # a Z ~ -',
  '% %% %4 %41 %31 %34 %7e %zz %25 %252F %e4 %C3%A4 %38%30 + ä',
]
  .join(' ')
  .split(' ')
  .concat(' ');

export function anyUrl(): fc.Arbitrary<Uint8Array> {
  const starts = fc.constantFrom('http://', 'https://', 'HTTP://', '/', '');
  const rest = fc.array(fc.constantFrom(...fragments), { maxLength: 14 });
  return fc.tuple(starts, rest).map(([start, parts]) => Buffer.from(start + parts.join('')));
}
