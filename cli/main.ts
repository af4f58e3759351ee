#!/usr/bin/env node
import { addDatabase } from "./commands/database";
import { run } from "./run";

/** `handrail` in this repository: everything that the console does with runs, in a terminal. */
await run(addDatabase);
