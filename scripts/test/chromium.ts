import { existsSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "@playwright/test";
import { installPackage } from "./apt";

const USUAL_PLACES = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome-stable",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

/** The browser for the tests: the one that CHROMIUM_PATH names, else Playwright's own, else the system's. */
export function findChromium(): string | undefined {
  return process.env.CHROMIUM_PATH || [chromium.executablePath(), ...USUAL_PLACES].find((path) => existsSync(path));
}

/** Installs Debian's Chromium where there is no browser and we may. Returns what is wrong when there is none in the end. */
export async function ensureChromium(scratch: string): Promise<string | undefined> {
  if (findChromium()) return undefined;
  const said = await installPackage("chromium", join(scratch, "apt-get.log"));
  if (findChromium()) return undefined;
  if (said !== undefined) return `Debian's Chromium could not be installed:\n${said}`;
  return "There is no Chromium: install it (Debian: apt-get install chromium; anywhere: npx playwright install chromium), or let CHROMIUM_PATH name one.";
}
