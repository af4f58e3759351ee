import { z } from "zod";
import { isCellName } from "./engine/fleet/fleet-id";
import { isOrigin, isStrongSecret, LOOPBACK_ORIGIN } from "./env-checks";
import type { doors } from "./env-doors";

/** Each cell's console by its name; null where the text is no such list. */
function parseCells(text: string): Map<string, string> | null {
  const parts = text.split(/[\s,]+/).filter((part) => part !== "");
  const cells = new Map<string, string>();
  for (const part of parts) {
    const [, name = "", origin = ""] = /^([^=]+)=(.+)$/.exec(part) ?? [];
    if (!isCellName(name) || !isOrigin(origin) || cells.has(name)) return null;
    cells.set(name, origin.replace(/\/$/, ""));
  }
  return cells.size > 0 ? cells : null;
}

/** The fleet of which this console is a cell's. */
export const fleet = z.object({
  HANDRAIL_CELL: z
    .string()
    .refine(isCellName)
    .optional()
    .describe(
      'the name of this cell in its fleet: up to 40 lower-case letters, digits and "-", a letter first, such as HANDRAIL_CELL=eu-1, ' +
        "or be left out where there is no fleet",
    ),
  HANDRAIL_CELLS: z
    .string()
    .refine((text) => parseCells(text) !== null)
    .optional()
    .describe(
      "the name of each cell with the address of its console, https unless it is this machine's loopback, separated by commas, this cell " +
        "included, such as HANDRAIL_CELLS=eu-1=https://eu.example.com,us-1=https://us.example.com",
    ),
  HANDRAIL_FLEET_SECRET: z
    .string()
    .refine(isStrongSecret)
    .optional()
    .describe(
      "32 bytes or more of random data, the same in every console of the fleet, such as HANDRAIL_FLEET_SECRET=$(openssl rand -hex 32)",
    ),
});

type OfFleet = z.output<typeof fleet>;

/**
 * Without sign-in everybody who reaches this console is the operator, who would be sent on to the others.
 * @returns what is wrong, in sentences
 */
export function halfAFleet({ HANDRAIL_SIGN_IN: signIn, ...fleet }: OfFleet & z.output<typeof doors>): string[] {
  const { HANDRAIL_CELL: own, HANDRAIL_CELLS: cells, HANDRAIL_FLEET_SECRET: secret } = fleet;
  const parts = [own, cells, secret];
  if (parts.every((part) => part === undefined)) return [];
  if (own === undefined || cells === undefined || secret === undefined)
    return ["A fleet takes all three: set HANDRAIL_CELL, HANDRAIL_CELLS and HANDRAIL_FLEET_SECRET, or none."];
  const known = parseCells(cells) ?? new Map<string, string>();
  if (!known.has(own))
    return [`HANDRAIL_CELL is "${own}", which is not among HANDRAIL_CELLS: add ${own}=https://… to them.`];
  const elsewhere = [...known.values()].some((origin) => !LOOPBACK_ORIGIN.test(origin));
  return signIn === "off" && elsewhere
    ? ["HANDRAIL_CELLS has consoles on other machines, and there is no sign-in: set HANDRAIL_SIGN_IN=on."]
    : [];
}

/** Null: this console is in no fleet. */
export function fleetOf({ HANDRAIL_CELL: own, HANDRAIL_CELLS: cells, HANDRAIL_FLEET_SECRET: secret }: OfFleet) {
  if (own === undefined || cells === undefined || secret === undefined) return null;
  return { own, cells: parseCells(cells) as Map<string, string>, secret };
}

export type FleetSettings = NonNullable<ReturnType<typeof fleetOf>>;
