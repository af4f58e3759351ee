/** Set by `npm test` to another number each time. Whoever runs a file by itself tries everything, and so does `npm test -- --whole`. */
const TURN = process.env.HANDRAIL_SAMPLE;

/** Of many cases alike, one in `share`; as many consecutive turns try every case once. All of them outside of `npm test`. */
export function oneIn<Case>(share: number, cases: readonly Case[], turn: string | undefined = TURN): Case[] {
  return turn ? cases.filter((_, index) => (index + Number(turn)) % share === 0) : [...cases];
}
