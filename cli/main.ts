#!/usr/bin/env node
import { run } from "./run";

/** `handrail` in this repository: everything that the console does with runs, in a terminal. */
await run({
  findHome: async () => (await import("../scripts/database/home-of-repository")).homeOfRepository(),
});
