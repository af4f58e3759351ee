import { HandrailError } from "../errors";

/* Types keep these out, but not from JavaScript. */

/** @throws HandrailError `invalid_workflow` */
export function checkIsFunction(given: unknown, what: string): void {
  if (typeof given !== "function") throw misgiven(what, "a function", given);
}

/** @throws HandrailError `invalid_workflow` */
export function checkIsSchema(given: unknown, what: string): void {
  if (given === null || given === undefined || !Object(given)["~standard"])
    throw misgiven(what, "a Standard Schema, of zod, valibot, arktype or the like", given);
}

export const misgiven = (what: string, expected: string, given: unknown, advice = ""): HandrailError =>
  new HandrailError("invalid_workflow", `${what} is to be ${expected}; got ${described(given)}.${advice}`);

const described = (given: unknown): string =>
  typeof given === "string" ? JSON.stringify(given.slice(0, 80)) : given === null ? "null" : typeof given;
