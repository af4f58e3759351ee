import { runWorker } from "../lib/worker/main";
import { loadApp } from "../load-app";

/** The process of a worker, which the launcher starts. */
await runWorker(await loadApp());
