// The similarity likeliness heuristic (paper §4, SPEC 3): tests whether two URLs of the list look like one document.
//
// A sketch column may hold any digest: URLs with equal digests are similar. If both digests are sketches made by
// dustbuster, similar pages are enough; JavaScript compares those, as it knows the encoding.
import { alike } from '../memory/calls';
import { maxSizeAt, minSizeAt, sketchEndAt, sketchLengthAt, urlAt } from '../list/site';
import { isSame } from '../text/text';

/** `db1-`, the prefix of our sketches (sketch/sketch). */
const OURS: u32 = 0x2d316264;

/** Sketches decide if both URLs have one, else overlapping size ranges if both have one, else yes. */
export function isSimilar(a: i32, b: i32): bool {
  const u = urlAt(a);
  const v = urlAt(b);
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

/** True if the sizes of two URLs show that they are not similar. Needs no sketch. */
export function differInSize(a: i32, b: i32): bool {
  const u = urlAt(a);
  const v = urlAt(b);
  if (sketchLengthAt(u) > 0 && sketchLengthAt(v) > 0) return false;
  return haveOtherSizes(u, v);
}

function haveOtherSizes(u: usize, v: usize): bool {
  if (minSizeAt(u) < 0 || minSizeAt(v) < 0) return false;
  return minSizeAt(u) > maxSizeAt(v) || minSizeAt(v) > maxSizeAt(u);
}
