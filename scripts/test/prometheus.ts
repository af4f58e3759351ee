import { existsSync } from "node:fs";
import { mkdir, rename } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { runCommand } from "./run-command";

/** Debian's, unpacked there: installing it would start a server. */
const OURS = join(tmpdir(), "handrail-prometheus", "usr/bin");
const places = () => [
  ...(process.env.PATH ?? "").split(delimiter),
  "/usr/bin",
  "/usr/local/bin",
  "/opt/homebrew/bin",
  OURS,
];

/** The folder of `prometheus` and `promtool`. */
export const findPrometheus = (): string | undefined =>
  places().find((place) => existsSync(join(place, "prometheus")) && existsSync(join(place, "promtool")));

/** Unpacks Debian's where there is none. Elsewhere its tests are skipped, and say so. */
export async function ensurePrometheus(scratch: string): Promise<void> {
  if (findPrometheus() || !existsSync("/usr/bin/apt-get")) return;
  const folder = join(scratch, "prometheus");
  await mkdir(folder, { recursive: true });
  const log = join(scratch, "apt-get-prometheus.log");
  const fetch = "apt-get download prometheus && dpkg -x prometheus_*.deb unpacked";
  const { code } = await runCommand(
    ["bash", "-c", `cd '${folder}' && (${fetch} || (apt-get update && ${fetch}))`],
    log,
  );
  // Whole or not at all, also where two look at once.
  if (code === 0) await rename(join(folder, "unpacked"), dirname(dirname(OURS))).catch(() => undefined);
}
