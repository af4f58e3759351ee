const RECORDS = 5_500;

const record = (n: number) => ({
  name: `step-${n}`,
  status: "completed",
  output: { sent: n, at: "2026-01-01T00:00:00.000Z", tags: ["a", "b"] },
});
const TEXT = JSON.stringify(Array.from({ length: RECORDS }, (_, n) => record(n)));

/**
 * A fixed piece of the work that a console does: JSON is read, changed and written. On an idle, ordinary machine it
 * takes 10 ms of processor time, on a slow or busy one as much longer as all other work does.
 */
export function yardstick(): void {
  const records = JSON.parse(TEXT) as ReturnType<typeof record>[];
  const changed = records.map(({ name, output, ...rest }) => ({ name: `${name}!`, output: { ...output }, ...rest }));
  JSON.stringify(changed);
}
