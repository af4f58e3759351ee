#!/usr/bin/env node
import { run } from "../run";
import { CONFIG_OPTION } from "./config/option";
import { addConsole } from "./console/add-console";
import { addDev } from "./dev/add-dev";
import { addInit } from "./init/init";
import { addWorker } from "./worker";

/** The command of the package `handrail`: a client of the API, and what an app does with its database and its own workflows. */
await run({
  findHome: async () => (await import("./home-of-app")).homeOfApp(),
  configOption: CONFIG_OPTION,
  addMore(program) {
    addInit(program);
    addDev(program);
    addWorker(program);
    addConsole(program);
  },
});
