// Scans all lines of a block, and finds those that a rule may change. The others are URLs that stay as they are.
import { FOUND, FOUND_END, FOUND_LENGTH, LINES, MOST_BYTES, TOLD, WORDS } from '../layout/sweep';
import { endOf } from '../text/newline';
import { Found } from './found';
import { beginUrl, count, endsAt, group, isNewHost, lookFrom, MOST_RULES, pathOf, told } from './look';

const NEWLINE: u8 = 0x0a;
/** Bytes of a found line before its rules. */
const WORD_BYTES: usize = 4 * WORDS;

/**
 * Scans the lines in [from, end). The last line may lack its newline; there must be one after `end`. Returns where it
 * stopped: before the end if the results are full, or after a host that is not in the cache. Call it again once the
 * host is.
 */
export function sweep(from: usize, end: usize): usize {
  let put = told(FOUND);
  const putEnd = told(FOUND_END) - (WORD_BYTES + ((<usize>MOST_RULES) << 2));
  const mostBytes = told(MOST_BYTES);
  let lines: u32 = 0;
  let at = from;
  for (; at < end && put <= putEnd; lines++) {
    const rules = put + WORD_BYTES;
    beginUrl(at, end, rules);
    const path = pathOf(at);
    const lineEnd: usize = path == 0 ? 0 : lookFrom(path);
    const isPlain = lineEnd != 0 && count <= MOST_RULES && endsAt(lineEnd);
    if (!isPlain || count > 0 || lineEnd - at > mostBytes) {
      const found = changetype<Found>(put);
      found.start = at;
      found.end = isPlain ? lineEnd : 0;
      found.path = path;
      found.group = group;
      found.rules = isPlain ? count : 0;
      put = rules + (isPlain ? (<usize>count) << 2 : 0);
    }
    at = endOf(isPlain ? lineEnd : at, NEWLINE, NEWLINE) + 1;
    if (isNewHost) {
      lines++;
      break;
    }
  }
  store<u32>(TOLD, lines, LINES);
  store<u32>(TOLD, <u32>((put - told(FOUND)) >> 2), FOUND_LENGTH);
  return min(at, end);
}
