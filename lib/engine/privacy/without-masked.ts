import type { Parts } from "../parts";
import { parseOwnInParts } from "../values/parse-in-parts";
import { hiddenText } from "./hidden-text";
import { maskOf, secretsInParts } from "./mask";

/** A text that code made, without what its workflow masks of the run's input. @param input JSON text */
export function* withoutMasked(text: string, masked: readonly string[], input: string): Parts<string> {
  if (masked.length === 0) return text;
  return hiddenText(yield* secretsInParts(yield* parseOwnInParts(input), maskOf(masked))).hideIn(text);
}
