// The canonical forms of the lines that the sweep found, computed like canonize/rounds. Rare cases are left to that:
// unknown kinds of rules, forms that have to be prepared, cycles, and URLs that need too many rounds, too much memory
// or too much time.
//
//   forms     | canonical form | canonical form | forms of the current URL, end to end …
//   scratch   the fields, the forms of each round of the URL ([start, end)), and its rules
import {
  DONE_AT_ONCE,
  EXCEPT,
  EXCEPT_END,
  FLAGS,
  HAS_MANY_EXCEPT,
  KIND,
  MOST_FIELDS,
  MOST_ROUNDS,
  NEVER,
  REMOVE,
  RULE_SHIFT,
  SET,
  SUBSTRING,
  UNKNOWN,
} from '../layout/rule';
import {
  BEFORE,
  BEHIND,
  FORMS,
  FORMS_END,
  FORMS_USED,
  FOUND,
  FOUND_LENGTH,
  MOST_BYTES,
  MOST_TRACED,
  PATH_ONLY,
  ROUNDS,
  RULES,
  SCRATCH,
  TOLD,
  TRACE,
  TRACED,
  WORDS,
} from '../layout/sweep';
import { isSame, sameAhead, sameBehind } from '../text/text';
import { holds } from './conditions';
import { isIncomplete } from './fields';
import { Change, Form, Found, Settled } from './found';
import { copied, end, path, setForm, start, work } from './form';
import { beginUrl, count, lookAround, lookFrom, MOST_RULES, pathOf, resume, rules, tokenStart, told } from './look';
import { edit, substitute } from './rules';
import { take } from './step';

const NEWLINE: u8 = 0x0a;
const SEEN: usize = SCRATCH + 17 * MOST_FIELDS;
const OWN_RULES: usize = SEEN + 8 * (MOST_ROUNDS + 1);

/** The most bytes to look at, for one URL and for one call: a few milliseconds. */
const MOST_FOR_URL: u64 = 1 << 21;
const MOST_FOR_CALL: u64 = 1 << 24;

/** Greater than the number of any rule. */
const NO_RULE: u32 = 0xffffffff;

// Outcomes of a URL.
const GIVEN_UP = 0;
const SAME = 1;
const CHANGED = 2;

/** Where the next form goes. */
let used: usize = 0;
/** The rules from here on were tried on the form and left it unchanged. */
let triedFrom: u32 = 0;
/** How many rules have changed the URL. */
let traced: usize = 0;

/**
 * Settles lines from found[from] on, until it has taken long; returns where it stopped. If `from` is 0, canonical forms
 * are written from `FORMS` on, else after those of the last call.
 */
export function settle(from: usize): usize {
  const found = told(FOUND);
  const stop = told(FOUND_LENGTH);
  used = told(from == 0 ? FORMS : FORMS_USED);
  const most = work + MOST_FOR_CALL;
  let at = from;
  while (at < stop && work < most) {
    const entry = found + (at << 2);
    const line = changetype<Found>(entry);
    const own = line.rules;
    const first = used;
    const ending = line.end == 0 ? GIVEN_UP : follow(line);
    used = first;
    if (ending != GIVEN_UP) {
      if (ending == CHANGED) used = copied(first, start, end);
      const settled = changetype<Settled>(entry);
      settled.minusForm = -(<i32>(ending == CHANGED ? first : line.start));
      settled.formEnd = ending == CHANGED ? used : line.end;
    }
    at += <usize>(WORDS + own);
  }
  store<u32>(TOLD, <u32>used, FORMS_USED);
  store<u32>(TOLD, <u32>traced, TRACED);
  return at;
}

/** Runs the rounds of a line. The form is then the canonical one, unless this gives up. */
function follow(line: Found): i32 {
  const first = line.start;
  const firstEnd = line.end;
  const firstPath = line.path;
  const mostBytes = told(MOST_BYTES);
  const mostRounds = told(ROUNDS);
  const mostWork = work + MOST_FOR_URL;
  if (firstEnd - first > mostBytes) return GIVEN_UP;
  beginUrl(first, firstEnd, OWN_RULES);
  resume(line.group, line.list);
  setForm(first, firstEnd, firstPath, told(PATH_ONLY) != 0 ? firstPath : first);
  triedFrom = NO_RULE;
  traced = 0;
  see(0);
  for (let round: usize = 1; round <= mostRounds; round++) {
    const ending = applyRules(round, mostBytes, mostWork);
    if (ending == GIVEN_UP) return GIVEN_UP;
    if (ending == SAME) return isSeen(0) ? SAME : CHANGED;
    for (let before: usize = 0; before + 1 < round; before++) if (isSeen(before)) return GIVEN_UP;
    if (isSeen(round - 1)) return isSeen(0) ? SAME : CHANGED;
    see(round);
  }
  return GIVEN_UP;
}

/** Remembers the form of a round. */
function see(round: usize): void {
  const form = formOf(round);
  form.start = start;
  form.end = end;
}

function formOf(round: usize): Form {
  return changetype<Form>(SEEN + (round << 3));
}

function isSeen(round: usize): bool {
  const form = formOf(round).start;
  return formOf(round).end - form == end - start && isSame(form, start, end - start);
}

/** Applies all rules once, in rank order. */
function applyRules(round: usize, mostBytes: usize, mostWork: u64): i32 {
  let least: u32 = 0;
  for (let at: usize = 0; at < <usize>count;) {
    const index = load<u32>(rules + (at++ << 2));
    if (index < least) continue;
    if (least == 0 && index >= triedFrom) break;
    const rule = told(RULES) + ((<usize>index) << RULE_SHIFT);
    if (used + 4 * mostBytes > told(FORMS_END) || work > mostWork) return GIVEN_UP;
    const kind = load<i32>(rule, KIND);
    const image = kind == UNKNOWN ? used : imageOf(rule, kind);
    const isMet = image != 0 && holds(rule);
    if (isIncomplete()) return GIVEN_UP;
    if (!isMet) continue;
    if (kind == UNKNOWN || (load<u32>(rule, FLAGS) & HAS_MANY_EXCEPT) != 0) return GIVEN_UP;
    if (isExcepted(rule)) continue;
    if (image - used > mostBytes) return GIVEN_UP;
    // A value that is set may hold what follows it.
    if (image - used == end - start && isSame(used, start, end - start)) continue;
    if (!goTo(image) || !trace(round, index)) return GIVEN_UP;
    least = index + 1;
    triedFrom = (load<u32>(rule, FLAGS) & DONE_AT_ONCE) != 0 ? index : least;
    at = 0;
  }
  return least > 0 ? CHANGED : SAME;
}

/** Notes a change. False if there are too many. */
function trace(round: usize, rule: u32): bool {
  if (traced == MOST_TRACED) return false;
  const change = changetype<Change>(TRACE + (traced++ << 3));
  change.round = round;
  change.rule = rule;
  return true;
}

/** Writes the image to `used`; returns where it ends, or 0 if the rule leaves the form alone wherever it holds. */
function imageOf(rule: usize, kind: i32): usize {
  if (kind == NEVER) return 0;
  if (kind == SUBSTRING) return substitute(rule, used);
  return kind == REMOVE || kind == SET ? edit(rule, used) : take(rule, used);
}

/** True if the form is one of the rule's exceptions. */
function isExcepted(rule: usize): bool {
  const stop = <usize>load<u32>(rule, EXCEPT_END);
  for (let at = <usize>load<u32>(rule, EXCEPT); at < stop;) {
    const length = <usize>load<u16>(at);
    if (length == end - start && isSame(at + 2, start, length)) return true;
    at += 2 + length;
  }
  return false;
}

/** Makes the image at `used` the form. False if it is not plain. */
function goTo(image: usize): bool {
  const first = used;
  const length = image - first;
  const shorter = min(length, end - start);
  const same = sameAhead(start, first, shorter);
  const sameLast = sameBehind(end, image, shorter - same);
  const hostBytes = path - start;
  store<u8>(image, NEWLINE);
  used = image + 1;
  beginUrl(first, image, OWN_RULES);
  let newPath = first + hostBytes;
  if (same <= hostBytes) {
    newPath = pathOf(first);
    if (newPath == 0 || lookFrom(newPath) != image) return false;
  } else {
    // Whole tokens, wide enough to include the start of an escape, a dot that now follows a slash, and every token whose
    // rule has a text that reaches into the change.
    const back = told(BEFORE);
    const near = same > back + hostBytes ? first + same - back : newPath;
    if (!lookAround(tokenStart(near, newPath), min(image, image - sameLast + told(BEHIND)))) return false;
  }
  setForm(first, image, newPath, told(PATH_ONLY) != 0 ? newPath : first);
  return count <= MOST_RULES;
}
