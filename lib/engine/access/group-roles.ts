import { ROLES, type Role } from "./permission";

/** By the whole name of the group. */
export type GroupRoles = ReadonlyMap<string, Role>;

/** Which role each group of a sign-in provider has, as JSON: `{"ops-admins": "admin", "ops": "operator"}`; null where it is not. */
export function parseGroupRoles(text: string): GroupRoles | null {
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof given !== "object" || given === null || Array.isArray(given)) return null;
  const entries = Object.entries(given);
  const wrong = ([group, role]: [string, unknown]) => group === "" || !(ROLES as readonly unknown[]).includes(role);
  return entries.length === 0 || entries.some(wrong) ? null : new Map(entries as [string, Role][]);
}
