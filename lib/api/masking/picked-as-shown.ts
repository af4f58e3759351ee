import type { Json } from "../../engine/privacy/mask";
import { parseValuePath, shellOf } from "../../engine/values/value-path";

/**
 * A picked value as it is shown, without parts that the requested path would not have found there: a hidden key does
 * not exist.
 */
export const pickedAsShown = (shown: Json, path: string): Json => shellOf(shown, parseValuePath(path)?.keys ?? []);
