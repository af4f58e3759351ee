import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { unpackPackages } from "./apt";

const OURS = join(tmpdir(), "handrail-prometheus");
const places = () => [
  ...(process.env.PATH ?? "").split(delimiter),
  "/usr/bin",
  "/usr/local/bin",
  "/opt/homebrew/bin",
  join(OURS, "usr/bin"),
];

/** The folder of `prometheus` and `promtool`. */
export const findPrometheus = (): string | undefined =>
  places().find((place) => existsSync(join(place, "prometheus")) && existsSync(join(place, "promtool")));

/** Unpacks Debian's where there is none. Elsewhere its tests are skipped, and say so. */
export async function ensurePrometheus(scratch: string): Promise<void> {
  if (!findPrometheus()) await unpackPackages(["prometheus"], OURS, scratch);
}
