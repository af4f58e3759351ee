import { runWorker } from "../lib/worker/main";
import app from "./app";

/** The process of the demo's worker, in the package. */
await runWorker(app);
