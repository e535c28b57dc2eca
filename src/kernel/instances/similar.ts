// The similarity likeliness heuristic (paper §4, SPEC 3): tests whether two URLs of the list look like one document.
//
// A sketch column may hold any digest: URLs with equal digests are similar. If both digests are sketches made by
// dustbuster, similar pages are enough; JavaScript compares those, as it knows the encoding.
import { alike } from '../memory/calls';
import { speakOthers } from '../list/facts';
import {
  factsAt,
  factsLengthAt,
  labelLengthAt,
  lengthOf,
  maxSizeAt,
  minSizeAt,
  sketchEndAt,
  sketchLengthAt,
  urlAt,
} from '../list/site';
import { FROM_COLLATION, isSame } from '../text/text';
import { FACTS_BYTES } from '../layout/facts';

/** `db1-`, the prefix of our sketches (sketch/sketch). */
const OURS: u32 = 0x2d316264;

/**
 * Two URLs with one name, by the site itself, are one page, and pages without a common language are two. Else sketches
 * decide if both URLs have one, else overlapping size ranges if both have one, else yes.
 */
export function isSimilar(a: i32, b: i32): bool {
  const u = urlAt(a);
  const v = urlAt(b);
  if ((labelLengthAt(u) | labelLengthAt(v)) > 0) {
    if (haveOneName(u, lengthOf(a), v, lengthOf(b))) return true;
    if (speakOthers(factsAt(u), factsLengthAt(u), factsAt(v), factsLengthAt(v))) return false;
  }
  const uBytes = sketchLengthAt(u);
  const vBytes = sketchLengthAt(v);
  if (uBytes > 0 && vBytes > 0) {
    const uSketch = sketchEndAt(u) - uBytes;
    const vSketch = sketchEndAt(v) - vBytes;
    if (uBytes == vBytes && isSame(uSketch, vSketch, uBytes)) return true;
    if (uBytes < 4 || vBytes < 4 || load<u32>(uSketch) != OURS || load<u32>(vSketch) != OURS) return false;
    return alike(a, b) != 0;
  }
  return !haveOtherSizes(u, v);
}

/** True if the canonical links or redirects of both lead to one URL, or that of one to the other. */
function haveOneName(u: usize, uLength: usize, v: usize, vLength: usize): bool {
  const uName = nameLength(factsLengthAt(u));
  const vName = nameLength(factsLengthAt(v));
  if (uName + vName == 0) return false;
  const name = factsAt(u) + FACTS_BYTES;
  const other = factsAt(v) + FACTS_BYTES;
  if (uName > 0 && uName == vName && isSame(name, other, uName)) return true;
  return isUrl(name, uName, v, vLength) || isUrl(other, vName, u, uLength);
}

function nameLength(factsLength: usize): usize {
  return factsLength == 0 ? 0 : factsLength - FACTS_BYTES;
}

/** True if the raw bytes of a name are the URL in collation bytes. */
function isUrl(name: usize, length: usize, url: usize, urlLength: usize): bool {
  if (length == 0 || length != urlLength) return false;
  for (let k: usize = 0; k < length; k++)
    if (load<u8>(name + k) != load<u8>(FROM_COLLATION + <usize>load<u8>(url + k))) return false;
  return true;
}

/** True if the sizes of two URLs show that they are not similar. Compares no sketch. */
export function differInSize(a: i32, b: i32): bool {
  const u = urlAt(a);
  const v = urlAt(b);
  if (sketchLengthAt(u) > 0 && sketchLengthAt(v) > 0) return false;
  return haveOtherSizes(u, v) && !haveOneName(u, lengthOf(a), v, lengthOf(b));
}

function haveOtherSizes(u: usize, v: usize): bool {
  if (minSizeAt(u) < 0 || minSizeAt(v) < 0) return false;
  return minSizeAt(u) > maxSizeAt(v) || minSizeAt(v) > maxSizeAt(u);
}
