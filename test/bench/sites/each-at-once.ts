// How are many things done, a few at a time? In order, `many` of them under way; the first that fails ends all.
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
