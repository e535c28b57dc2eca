// In which order are samples tried, so that a rule that is wrong in one part of a site soon meets that part? A
// stratified order.
//
// Of a rule that is right on nine pages in ten and wrong on one host or in one folder, one uniform draw in sixteen
// finds 35 right samples and no wrong one. Strata are the hosts and their first folders; every other sample comes from
// the next stratum in turn, so a small stratum is sampled as often as a large one:
//
//   draw    a1 a2 b1 a3 a4 c1 …          (uniform, without replacement)
//   turns   a1 b1 c1 a2 a3 a4 …
//   order   a1 b1 a2 c1 a3 a4 …          (each once: a sample of the draw, a sample of the turns)
const FOLDER = /^(?:[^:/?#]+:\/\/[^/?#]*)?\/(?:[^/?#]*\/)?/;

/** Host and first folder of a URL, or of a path. */
export function stratumOf(url: string): string {
  return FOLDER.exec(url)?.[0] ?? '';
}

/** The same samples, each once: alternately in the order of the draw and round-robin through the strata. */
export function interleaved(draw: readonly string[]): string[] {
  const order = new Set<string>();
  const turns = turnsOf(draw);
  for (const [at, url] of draw.entries()) order.add(url).add(turns[at]!);
  return [...order];
}

function turnsOf(draw: readonly string[]): string[] {
  const strata = new Map<string, string[]>();
  for (const url of draw) {
    const stratum = stratumOf(url);
    const members = strata.get(stratum);
    if (members === undefined) strata.set(stratum, [url]);
    else members.push(url);
  }
  const turns: string[] = [];
  for (let turn = 0; strata.size > 0; turn++) {
    for (const [stratum, members] of strata) {
      turns.push(members[turn]!);
      if (members.length === turn + 1) strata.delete(stratum);
    }
  }
  return turns;
}
