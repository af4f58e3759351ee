import { misgiven } from "./given-code";

/*
 * Types keep these out, but not from JavaScript, nor from two files that import each other: the one that is loaded first has
 * `undefined` for what the other one exports.
 */
const IMPORTED = " If it is imported: do the two files import each other? Then move it into a third file.";

/** @throws HandrailError `invalid_workflow` */
export function checkIsWorkflow(given: unknown, what: string): void {
  // Not merely what looks like one: options that were never handed to defineWorkflow have a name and an input, too.
  if (typeof (given as { handler?: unknown } | null | undefined)?.handler === "function") return;
  throw misgiven(what, "a workflow that defineWorkflow made", given, given === undefined ? IMPORTED : "");
}

/** @throws HandrailError `invalid_workflow` */
export function checkAreWorkflows(given: unknown): void {
  if (!Array.isArray(given)) throw misgiven("`workflows`", "an array of workflows", given);
  for (const [index, one] of given.entries()) checkIsWorkflow(one, `\`workflows[${index}]\``);
}
