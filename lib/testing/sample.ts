/**
 * `npm test` sets it to another number each time. A single file run by itself tries everything, and so does `npm test
 * -- --whole`.
 */
const TURN = process.env.HANDRAIL_SAMPLE;

/**
 * Of many similar cases, one in `share`; as many consecutive turns try every case once. All of them outside of `npm
 * test`.
 */
export function oneIn<Case>(share: number, cases: readonly Case[], turn: string | undefined = TURN): Case[] {
  return turn ? cases.filter((_, index) => (index + Number(turn)) % share === 0) : [...cases];
}

/** Of each turn: `oneIn` goes by the digits behind these. */
const DIGITS_OF_FILES = 1_000;

/** The same for what has `oneIn` within: by the same digits, it would try the same cases whenever it is chosen. */
export const oneGroupIn = <Group>(share: number, groups: readonly Group[], turn: string | undefined = TURN): Group[] =>
  oneIn(share, groups, turn && `${Math.floor(Number(turn) / DIGITS_OF_FILES)}`);

/** The rest: of files that are long and seldom break, those that wait for a later turn. None outside of `npm test`. */
export function notThisTime(share: number, files: readonly string[], turn: string | undefined = TURN): string[] {
  const chosen = new Set(oneGroupIn(share, files, turn));
  return files.filter((file) => !chosen.has(file));
}
