// Does long work let the event loop run, in which signals are handled? Turns are counted, as time depends on the machine.

/** How many turns of the event loop there are while `work` goes on. */
export async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let turns = -1;
  let isOver = false;
  const count = () => {
    turns++;
    if (!isOver) setImmediate(count);
  };
  count();
  await work();
  isOver = true;
  return turns;
}
