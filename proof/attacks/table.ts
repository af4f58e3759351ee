import { readFileSync } from "node:fs";
import { afterAll, expect } from "vitest";
import { environmentWith } from "../../lib/env";
import { oneIn } from "../../lib/testing/sample";

/** Each row is an attack; it returns what went wrong, or nothing if it was repelled. */
type Attack<Row> = (row: Row) => Promise<string | null | undefined>;

/** Of the large tables each commit tries every fifth row, and `HANDRAIL_ATTACKS=full` all of them. */
export const sampled = <Row>(rows: readonly Row[]): readonly Row[] =>
  environmentWith({}).HANDRAIL_ATTACKS === "full" ? rows : rows.filter((_, index) => index % 5 === 0);

/** At most this many are listed, so that a hole does not fill the screen. */
const MAX_NAMED = 25;

/**
 * One table of the attack suite. Every row runs, even after a failed one; the count is printed at the end and checked
 * against docs/security.md.
 * @param share `npm test` tries one row in so many, another part each time; counted are all. Default: every row.
 */
export function attackTable(name: string, share = 1) {
  let tried = 0;
  let all = 0;
  afterAll(() => {
    process.stdout.write(`attacks: ${name}: ${tried}${tried < all ? ` of ${all}` : ""} cases\n`);
    expect(all, `cases of "${name}" against docs/security.md`).toBeGreaterThanOrEqual(documented(name));
  });
  return async <Row>(rows: Iterable<Row>, attack: Attack<Row>): Promise<void> => {
    const through: string[] = [];
    const every = [...rows];
    all += every.length;
    for (const row of oneIn(share, every)) {
      tried += 1;
      const wrong = await attack(row).catch((error: unknown) => `threw ${String(error)}`);
      if (wrong) through.push(wrong);
    }
    expect(through.slice(0, MAX_NAMED), `${through.length} got through`).toEqual([]);
  };
}

/** The least number of cases that the document states for this table. */
function documented(name: string): number {
  const page = readFileSync(new URL("../../docs/security.md", import.meta.url), "utf8");
  const row = page.split("\n").find((line) => line.startsWith(`| ${name} |`));
  const [, , count] = row?.split("|") ?? [];
  return Number(count?.replaceAll(/\D/g, "") || Number.NaN);
}

/** `label: answer` where the answer is not the expected one. */
export const unless = (holds: boolean, label: string, came: unknown): string | undefined =>
  holds ? undefined : `${label}: ${typeof came === "string" ? came : JSON.stringify(came)}`;
