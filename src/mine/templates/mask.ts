// What does a segment look like, if its text does not matter?
//
//   a-small-book_17        {words}_{n}          2026/11/28      {yyyy}/{mm}/{dd}
//   17-a-small-book.html   {n}-{words}.html     v1.20.3         {version}
//   9f86d081884c7d65       {hex}                Straße          {words}

const YEAR = /^(?:19|20)\d\d$/;
const MONTH_OR_DAY = /^[0-3]?\d$/;
const VERSION = /^v?\d+(?:\.\d+)+(?:[-+.]\w+)?$/i;
const HEX = /^(?=.*\d)(?=.*[a-f])[0-9a-f]{7,}$/i;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const EXTENSION = /\.(?=\w*[a-z])\w{1,5}$/i;
const WORDS = /^[\p{L}\p{M}][\p{L}\p{M}\d]*(?:[-_ +.,'()!:&~@]+[\p{L}\p{M}\d]+)*[-_ +.,'()!:&~@]*$/u;
const ENDS_IN_NUMBER = /^(.*[^-_.\d])([-_.])\d+$/;
const BEGINS_WITH_NUMBER = /^\d+([-_.])(.*[\p{L}].*)$/u;

/** `before`: the mask of the segment before it. */
export function maskOf(segment: string, before: string): string {
  if (/^\d+$/.test(segment)) return numberMask(segment, before);
  if (VERSION.test(segment)) return '{version}';
  if (UUID.test(segment) || HEX.test(segment)) return '{hex}';
  const extension = EXTENSION.exec(segment)?.[0];
  const body = extension === undefined ? segment : segment.slice(0, -extension.length);
  if (extension !== undefined && body !== '') return maskOf(body, '') + extension.toLowerCase();
  const numbered = ENDS_IN_NUMBER.exec(segment);
  if (numbered !== null) return `${maskOf(numbered[1]!, '')}${numbered[2]!}{n}`;
  const begun = BEGINS_WITH_NUMBER.exec(segment);
  if (begun !== null) return `{n}${begun[1]!}${maskOf(begun[2]!, '')}`;
  return WORDS.test(segment) ? '{words}' : '{text}';
}

function numberMask(digits: string, before: string): string {
  if (YEAR.test(digits)) return '{yyyy}';
  if (!MONTH_OR_DAY.test(digits)) return '{n}';
  if (before === '{yyyy}') return '{mm}';
  return before === '{mm}' ? '{dd}' : '{n}';
}
