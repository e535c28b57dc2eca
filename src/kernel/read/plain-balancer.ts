// Plain lines of AWS load balancers (log/format/elb): words with one blank between them, the time the first of them or
// the second, and then the request, whose quote the agent's follows.
import { FIRST_WORD } from '../layout/reader';
import { endOf, endOfWord } from '../text/newline';
import { Line } from './line';
import { GET, numberIn, readTarget } from './plain-request';

const NEWLINE: u8 = 0x0a;
const SPACE: u8 = 0x20;
const QUOTE: u8 = 0x22;
const MINUS: u8 = 0x2d;
const LETTER_T: u8 = 0x54;
const BACKSLASH: u8 = 0x5c;
/** ` "` */
const NEXT_QUOTED: u16 = 0x2220;

/** Counted from the time. */
const STATUS = 7;
const SENT = 10;
const REQUEST = 11;

/** The end of the line at `start`; 0 if it is not plain. */
export function readBalancer(reader: usize, start: usize): usize {
  const first = <i32>load<u32>(reader, FIRST_WORD);
  let at = start;
  for (let word = -first; word < REQUEST; word++) {
    const wordEnd = endOfWord(at);
    if (wordEnd == at || load<u8>(wordEnd) != SPACE) return 0;
    if (word == 0 && (wordEnd - at < 11 || load<u8>(at, 4) != MINUS || load<u8>(at, 10) != LETTER_T)) return 0;
    if (word == STATUS) Line.status = numberIn(at, wordEnd);
    else if (word == SENT) Line.size = numberIn(at, wordEnd);
    at = wordEnd + 1;
  }
  if (Line.status < 0 || load<u8>(at) != QUOTE || load<u32>(at, 1) != GET) return 0;
  const close = endOf(at + 5, QUOTE, BACKSLASH);
  if (load<u8>(close) != QUOTE || load<u16>(close, 1) != NEXT_QUOTED || !readTarget(at + 5, close)) return 0;
  return endOf(close, NEWLINE, NEWLINE);
}
