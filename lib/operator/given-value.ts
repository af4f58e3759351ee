import { decodeValue, encodeValue } from "../engine/codec";
import { HandrailError } from "../engine/errors";

/**
 * A value as a program sent it: parsed JSON, in which tagged objects stand for what JSON lacks.
 * @throws HandrailError `invalid_input` when a tag and its value do not fit together
 */
export function decodeGiven(json: unknown, where: string): unknown {
  try {
    return decodeValue(JSON.stringify(json));
  } catch (error) {
    throw new HandrailError("invalid_input", `The ${where} is not a value we can keep: ${(error as Error).message}`);
  }
}

/** The text under which it is stored. @throws HandrailError `invalid_input` */
export function encodeGiven(json: unknown, where: string): string {
  const value = decodeGiven(json, where);
  try {
    return encodeValue(value, where);
  } catch (error) {
    throw new HandrailError("invalid_input", (error as Error).message);
  }
}
