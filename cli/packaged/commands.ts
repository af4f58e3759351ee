import type { Surroundings } from "../program";
import { CONFIG_OPTION } from "./config/option";
import { addConsole } from "./console/add-console";
import { addDemo } from "./demo/add-demo";
import { addDev } from "./dev/add-dev";
import { addInit } from "./init/init";
import { addVerify } from "./verify/add-verify";
import { addWorker } from "./worker";

/** The commands of the package: those of every installation, and what an app does with its own workflows. */
export const OF_AN_APP: Surroundings = {
  findHome: async () => (await import("./home-of-app")).homeOfApp(),
  configOption: CONFIG_OPTION,
  addMore(program) {
    addInit(program);
    addDev(program);
    addDemo(program);
    addWorker(program);
    addConsole(program);
    addVerify(program);
  },
};
