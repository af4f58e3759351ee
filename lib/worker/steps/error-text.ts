import { serializeError } from "../../engine/values/serialized-error";

/** Any thrown value, as it is stored. */
export const errorText = (thrown: unknown): string => JSON.stringify(serializeError(thrown));
