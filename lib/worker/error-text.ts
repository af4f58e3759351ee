import { serializeError } from "../engine/serialized-error";

/** Whatever was thrown, as it is stored. */
export const errorText = (thrown: unknown): string => JSON.stringify(serializeError(thrown));

/** The error of an attempt whose worker was lost: nobody heard what its body came to. */
export const WORKER_LOST = JSON.stringify({ name: "WorkerLost", message: "Its worker was lost while the body ran." });
