#!/usr/bin/env node
import { run } from "../run";
import { addMigrate } from "./migrate";

/** The command of the package `handrail`: a client of the API, and what an app does with its database. */
await run(addMigrate);
