#!/usr/bin/env node
import { run } from "../run";
import { addConsole } from "./console/add-console";
import { addDev } from "./dev/add-dev";
import { addInit } from "./init/init";
import { addMigrate } from "./migrate";
import { addWorker } from "./worker";

/** The command of the package `handrail`: a client of the API, and what an app does with its database and its own workflows. */
await run((program) => {
  addInit(program);
  addDev(program);
  addWorker(program);
  addConsole(program);
  addMigrate(program);
});
