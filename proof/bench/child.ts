import { openBench, startWorker } from "./bench";
import { longRun, resumed, sizedSteps, threeSteps, told } from "./workflows";

/** A worker in a separate process; sends "ready" to its parent, and the messages of its steps. */
const databaseUrl = process.argv[2] as string;
const leaseMs = Number(process.argv[3] ?? 4_000);
await startWorker(openBench(databaseUrl), { workflows: [longRun, told, resumed, threeSteps, sizedSteps], leaseMs });
process.send?.("ready");
process.on("disconnect", () => process.exit(0));
