import { HandrailError } from "../engine/errors";
import { decodeJson, encodeValue, isPlain } from "../engine/values/codec";

/**
 * A value as a program sent it: parsed JSON, in which tagged objects represent what JSON lacks.
 * @throws HandrailError `invalid_input` when a tag and its value do not match
 */
export function decodeGiven(json: unknown, where: string): unknown {
  if (isPlain(json)) return json;
  try {
    return decodeJson(json);
  } catch (error) {
    // With a cause, the codec failed on a value that does not match its tag.
    const { cause, message } = error as Error;
    const why = cause === undefined ? message : 'a "$type" in it does not fit its value.';
    throw new HandrailError("invalid_input", `The ${where} is not a value that can be kept: ${why}`);
  }
}

/** The same, for a value that must be storable. @throws HandrailError `invalid_input` */
export function checkGiven(json: unknown, where: string): unknown {
  const value = decodeGiven(json, where);
  encodeChecked(value, where);
  return value;
}

/** The text that is stored. @throws HandrailError `invalid_input` */
export const encodeGiven = (json: unknown, where: string): string => encodeChecked(decodeGiven(json, where), where);

function encodeChecked(value: unknown, where: string): string {
  try {
    return encodeValue(value, where);
  } catch (error) {
    throw new HandrailError("invalid_input", (error as Error).message);
  }
}
