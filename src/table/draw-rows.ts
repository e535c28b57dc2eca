// Draws a sample of the rows of a list: rows at a large stride. The stride is about count / golden ratio and coprime to
// the count, so it visits all rows once, and the first rows that it visits, however many, are spread over the list.

/** `most` of `count` rows, or all of them. Every beginning of the result is a sample too. */
export function drawRows(count: number, most: number): Uint32Array {
  const stride = strideFor(count);
  const rows = new Uint32Array(Math.min(count, most));
  for (let k = 1; k < rows.length; k++) rows[k] = (rows[k - 1]! + stride) % count;
  return rows;
}

function strideFor(count: number): number {
  let stride = Math.max(1, Math.round(count * 0.618034));
  while (!isPrimeTo(stride, count)) stride++;
  return stride;
}

function isPrimeTo(a: number, b: number): boolean {
  while (b > 0) [a, b] = [b, a % b];
  return a === 1;
}
