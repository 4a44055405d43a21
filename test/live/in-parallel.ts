/**
 * Runs an action for the numbers from 0 to `count` - 1, `atOnce` of them in parallel. After a failure, no more are
 * started.
 * @returns the results in the order of the numbers
 */
export async function inParallel<T>(count: number, atOnce: number, run: (n: number) => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  let next = 0;
  const worker = async () => {
    while (next < count) {
      const n = next++;
      try {
        results[n] = await run(n);
      } catch (error) {
        next = count;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return results;
}
