import { isHandrailError } from "../engine/errors";
import { decodeJson, encodeValue } from "../engine/values/codec";

type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

/** A value as JSON that can be sent. @throws HandrailError `invalid_value`, `value_too_large` */
export const toJson = (value: unknown, where?: string): Json => JSON.parse(encodeValue(value, where));

/** A value that was sent; a masked one, which holds what this caller may not see, is left as JSON. */
export function fromJson(json: unknown): unknown {
  try {
    return decodeJson(json);
  } catch (error) {
    if (isHandrailError(error)) return json;
    throw error;
  }
}
