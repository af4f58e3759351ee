/**
 * Ids carry the clock of the process that started the run, `created_at` the database's; the bound on their difference.
 */
export const CLOCK_SLACK_MS = 600_000;

/** The first or last UUIDv7 of a millisecond. */
export function idAt(ms: number, fill: "0" | "f"): string {
  const hex = Math.min(Math.max(Math.floor(ms), 0), 0xffff_ffff_ffff)
    .toString(16)
    .padStart(12, "0");
  return asUuid(hex.padEnd(32, fill));
}

/** When the run of this id was started, by the clock of the process that started it; milliseconds since 1970. */
export const timeOfId = (id: string): number => Number.parseInt(id.replaceAll("-", "").slice(0, 12), 16);

/** The ids that begin with `text`; undefined when it cannot be the beginning of one. */
export function idRange(text: string): [string, string] | undefined {
  const hex = text.toLowerCase().replaceAll("-", "");
  if (!/^[0-9a-f]{8,32}$/.test(hex)) return undefined;
  return [asUuid(hex.padEnd(32, "0")), asUuid(hex.padEnd(32, "f"))];
}

const asUuid = (hex: string) => hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
