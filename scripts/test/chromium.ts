import { existsSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "@playwright/test";
import { installPackage } from "./apt";

/** Renders as the whole browser does, without a window: a quarter less processor time. */
const WITHOUT_WINDOWS = "/usr/bin/chromium-headless-shell";

const USUAL_PLACES = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome-stable",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

/** The browser that people have: the one that CHROMIUM_PATH names, else Playwright's own, else the system's. */
export const findChromium = (): string | undefined => firstOf([chromium.executablePath(), ...USUAL_PLACES]);

/** The same for the tests, which would rather have the one without windows. */
export const findTestChromium = (): string | undefined =>
  firstOf([chromium.executablePath(), WITHOUT_WINDOWS, ...USUAL_PLACES]);

const firstOf = (places: readonly string[]): string | undefined =>
  process.env.CHROMIUM_PATH || places.find((path) => existsSync(path));

/** Installs Debian's Chromium where there is no browser and we may. Returns what is wrong when there is none in the end. */
export async function ensureChromium(scratch: string): Promise<string | undefined> {
  if (findTestChromium()) return undefined;
  const said = await installPackage("chromium-headless-shell", join(scratch, "apt-get.log"));
  if (findTestChromium()) return undefined;
  if (said !== undefined) return `Debian's Chromium could not be installed:\n${said}`;
  return "There is no Chromium: install it (Debian: apt-get install chromium-headless-shell; anywhere: npx playwright install chromium), or let CHROMIUM_PATH name one.";
}
