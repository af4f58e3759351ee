import { serializeError } from "../../engine/values/serialized-error";

/** Whatever was thrown, as it is stored. */
export const errorText = (thrown: unknown): string => JSON.stringify(serializeError(thrown));
