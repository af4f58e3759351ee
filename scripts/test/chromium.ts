import { existsSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "@playwright/test";
import { runCommand } from "./run-command";

const USUAL_PLACES = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome-stable",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

/** Another installation may be going on: wait for it. */
const INSTALL = ["apt-get", "-o", "DPkg::Lock::Timeout=300", "install", "-y", "--no-install-recommends"];

/** The browser for the tests: the one that CHROMIUM_PATH names, else Playwright's own, else the system's. */
export function findChromium(): string | undefined {
  return process.env.CHROMIUM_PATH || [chromium.executablePath(), ...USUAL_PLACES].find((path) => existsSync(path));
}

/** Installs Debian's Chromium where there is no browser and we may. Returns what is wrong when there is none in the end. */
export async function ensureChromium(scratch: string): Promise<string | undefined> {
  if (findChromium()) return undefined;
  if (process.getuid?.() === 0 && existsSync("/usr/bin/apt-get")) {
    const log = join(scratch, "apt-get.log");
    const env = { DEBIAN_FRONTEND: "noninteractive" };
    await runCommand(["apt-get", "update"], log, env);
    const { output } = await runCommand([...INSTALL, "chromium"], log, env);
    return findChromium() ? undefined : `Debian's Chromium could not be installed:\n${output}`;
  }
  return "There is no Chromium: install it (Debian: apt-get install chromium; anywhere: npx playwright install chromium), or let CHROMIUM_PATH name one.";
}
