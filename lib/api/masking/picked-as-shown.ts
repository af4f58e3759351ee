import type { Json } from "../../engine/privacy/mask";
import { parseValuePath, shellOf } from "../../engine/values/value-path";

/** A picked value as it is shown, without what the path that was asked for would not have found there: a key that is hidden is none. */
export const pickedAsShown = (shown: Json, path: string): Json => shellOf(shown, parseValuePath(path)?.keys ?? []);
