/*
 * What stands in the place of a run's data once an operator has erased it. The codec refuses the value: code never
 * continues with it.
 */

/** As it is stored and shown. */
export const ERASED_VALUE = '{"$type":"erased"}';
export const ERASED_TEXT = "Erased.";
export const ERASED_ERROR = JSON.stringify({ name: "Erased", message: "The data of this run was erased." });
