import { ROLES, type Role } from "./permission";

/** Keyed by the full group name. */
export type GroupRoles = ReadonlyMap<string, Role>;

/** The role of each sign-in provider group, from JSON such as `{"ops-admins": "admin"}`; null if invalid. */
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
