import { HandrailError } from "../errors";

/*
 * Types keep these out, but not from JavaScript, nor from two files that import each other: the one that is loaded first has
 * `undefined` for what the other one exports.
 */

/** @param where what it was given to, such as `ctx.child("pay", …)`. @throws HandrailError `invalid_workflow` */
export function checkIsWorkflow(given: unknown, where: string): void {
  if (typeof given === "object" && given !== null && "version" in given && "input" in given) return;
  const advice =
    given === undefined
      ? " If it is imported: do the two files import each other? Then move it into one of its own."
      : "";
  throw new HandrailError(
    "invalid_workflow",
    `${where} takes a workflow that defineWorkflow made; got ${described(given)}.${advice}`,
  );
}

/** @throws HandrailError `invalid_workflow` */
export function checkAreWorkflows(given: unknown): void {
  if (!Array.isArray(given))
    throw new HandrailError(
      "invalid_workflow",
      `\`workflows\` is to be an array of workflows; got ${described(given)}.`,
    );
  for (const [index, one] of given.entries()) checkIsWorkflow(one, `\`workflows[${index}]\``);
}

/** @throws HandrailError `invalid_workflow` */
export function checkIsFunction(given: unknown, what: string): void {
  if (typeof given !== "function")
    throw new HandrailError("invalid_workflow", `${what} is to be a function; got ${described(given)}.`);
}

/** @throws HandrailError `invalid_workflow` */
export function checkIsSchema(given: unknown, what: string): void {
  if ((typeof given === "object" || typeof given === "function") && given !== null && "~standard" in given) return;
  throw new HandrailError(
    "invalid_workflow",
    `${what} is to be a schema of zod, valibot, arktype or another library of Standard Schema; got ${described(given)}.`,
  );
}

const described = (given: unknown): string =>
  typeof given === "string" ? JSON.stringify(given.slice(0, 80)) : given === null ? "null" : typeof given;
