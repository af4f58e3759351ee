/**
 * Does `count` things in their order, `lanes` at a time. After one of them was refused no further one begins; those under way end first.
 * @throws the refusal of the first by order
 */
export async function inLanes(count: number, lanes: number, run: (index: number) => Promise<void>): Promise<void> {
  const refused: { index: number; error: unknown }[] = [];
  let next = 0;
  const lane = async () => {
    while (next < count && refused.length === 0) {
      const index = next++;
      await run(index).catch((error) => refused.push({ index, error }));
    }
  };
  await Promise.all(Array.from({ length: Math.min(lanes, count) }, lane));
  const [first] = refused.sort((a, b) => a.index - b.index);
  if (first) throw first.error;
}
