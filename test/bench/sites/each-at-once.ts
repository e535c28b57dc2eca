// Runs tasks in order, up to `many` at a time; the first that fails ends all.
export async function eachAtOnce<T>(
  many: number,
  items: readonly T[],
  work: (item: T) => Promise<void>,
): Promise<void> {
  let next = 0;
  await Promise.all(
    Array.from({ length: many }, async () => {
      while (next < items.length) await work(items[next++]!);
    }),
  );
}
