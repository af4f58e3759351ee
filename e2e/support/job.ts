import { oneIn } from "../../lib/testing/sample";
import { test } from "./console-errors";

/** The jobs of docs/console/jobs.md, by their numbers. */
type Job = `@job-${number}`;

/** On the wide screen these tests use no mouse, and on the phone no keys: the other specs use both. */
const SCREENS = {
  "by keys alone": { way: "keys" },
  "on a phone": {
    way: "touch",
    viewport: { width: 360, height: 740 },
    hasTouch: true,
    isMobile: true,
    deviceScaleFactor: 2,
  },
} as const;

/**
 * Each of the tests on a wide screen by keys alone, and by touch at 360 px: both, or one of the two in turn where a sample is
 * asked for. They use `hands` for whatever they press.
 */
export function bothWays(tests: () => void, tag: string[] = []): void {
  for (const [name, screen] of oneIn(2, Object.entries(SCREENS)))
    test.describe(name, { tag }, () => {
      test.use(screen);
      tests();
    });
}

export const job = (number: Job | Job[], tests: () => void) => bothWays(tests, [number].flat());
