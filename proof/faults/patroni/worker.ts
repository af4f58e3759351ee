import sampleApp from "../../../lib/testing/sample-app";
import { runWorker } from "../../../lib/worker/main";

/** A worker's process as it is deployed, with the sample workflows. Their schedules would start runs that nobody counts. */
await runWorker({ ...sampleApp, schedules: [] });
