import { HandrailError } from "../errors";

/** A cell's name: 1 to 40 lower-case letters, digits and "-", a letter first. */
const CELL = /^[a-z][a-z0-9-]{0,39}$/;
const FLEET_ID = /^([a-z][a-z0-9-]{0,39})\.([0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})$/;

export const isCellName = (name: string): boolean => CELL.test(name);

/** @throws HandrailError `invalid_request` */
export function checkCellName(name: string): void {
  if (isCellName(name)) return;
  throw new HandrailError(
    "invalid_request",
    `${JSON.stringify(name).slice(0, 80)} cannot name a cell. Use up to 40 lower-case letters, digits and "-", a letter first, such as "eu-1".`,
  );
}

/** The id of a run within a fleet: `eu-1.0192f0c1-…`. */
export const fleetIdOf = (cell: string, runId: string): string => `${cell}.${runId}`;

/** Undefined where the text is no such id. */
export function readFleetId(text: string): { cell: string; runId: string } | undefined {
  const [, cell, runId] = FLEET_ID.exec(text) ?? [];
  return cell === undefined || runId === undefined ? undefined : { cell, runId: runId.toLowerCase() };
}
