// Which rows of a list are a sample of it? Those that a large stride visits: it is about count / golden ratio, and
// coprime to the count, so that all rows are visited once, and the first ones, however many, lie spread over the list.

/** So many rows of a list of `count`, or all: a sample, and so is each beginning of it. */
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
