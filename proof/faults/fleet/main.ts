import { startSite } from "./site";
import { STRIKES, type Strike } from "./strikes";
import { HEADER, rowOf } from "./table";
import { type FleetTrial, tryStrike } from "./trial";

interface FleetOrder {
  seed: number;
  only: (strike: Strike) => boolean;
  say: (line: string) => void;
}

/** Every strike, or some, at a fleet of four cells that is started for it and gone afterwards. @returns the trials, violations and all */
export async function strikeFleet({ seed, only, say }: FleetOrder): Promise<FleetTrial[]> {
  const site = await startSite();
  const trials: FleetTrial[] = [];
  try {
    for (const line of HEADER) say(line);
    for (const strike of STRIKES.filter(only)) {
      const trial = await tryStrike(site, strike, seed);
      trials.push(trial);
      say(rowOf(trial));
    }
  } finally {
    await site.close();
  }
  return trials;
}
