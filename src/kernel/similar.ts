// The similarity likeliness heuristic (paper §4, SPEC 3): do two URLs of the list look like one document?
//
// A sketch column holds any digest: equal bytes are one page. Whether pages with two different sketches read alike is asked of
// JavaScript, which knows how sketches are written.
import { alike } from './calls';
import { maxSizeAt, minSizeAt, sketchEndAt, sketchLengthAt, urlAt } from './site';
import { isSame } from './text';

/** Sketches decide if both URLs have one, else overlapping size ranges if both have one, else yes. */
export function isSimilar(a: i32, b: i32): bool {
  const u = urlAt(a);
  const v = urlAt(b);
  const uBytes = sketchLengthAt(u);
  const vBytes = sketchLengthAt(v);
  if (uBytes > 0 && vBytes > 0) {
    if (uBytes == vBytes && isSame(sketchEndAt(u) - uBytes, sketchEndAt(v) - vBytes, uBytes)) return true;
    return alike(a, b) != 0;
  }
  if (minSizeAt(u) < 0 || minSizeAt(v) < 0) return true;
  return minSizeAt(u) <= maxSizeAt(v) && minSizeAt(v) <= maxSizeAt(u);
}
