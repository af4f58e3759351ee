import { z } from "zod";
import { isOrigin, isStrongSecret, LOOPBACK_ORIGIN } from "./env-checks";
import type { demo } from "./env-demo";
import { port, wholeNumber } from "./env-kinds";

const LOOPBACK: readonly string[] = ["127.0.0.1", "::1", "localhost"];

const secretToken = (variable: string) =>
  z
    .string()
    .refine(isStrongSecret)
    .optional()
    .describe(
      `32 bytes or more of random data, in characters that a header accepts, such as ${variable}=$(openssl rand -hex 32), ` +
        "or be left out",
    );

const host = z
  .string()
  .regex(/^[\w.:-]{1,253}$/)
  .default("127.0.0.1");

/** Where the console listens, and a worker; and who may come in. */
export const doors = z.object({
  PORT: port("PORT", 3000),
  HOST: host.describe(
    "a name or address of this machine, such as HOST=127.0.0.1, or HOST=0.0.0.0 together with sign-in",
  ),
  HANDRAIL_SIGN_IN: z
    .enum(["on", "off"])
    .default("off")
    .describe("on, or off where only this machine reaches the console and everyone on it may operate it"),
  HANDRAIL_ORIGIN: z
    .url({ protocol: /^https?$/ })
    .refine(isOrigin)
    .optional()
    .describe(
      "where browsers find the console, scheme, host and port alone, such as HANDRAIL_ORIGIN=https://handrail.example.com " +
        "(https, unless it is this machine's loopback)",
    ),
  HANDRAIL_PROXIES: wholeNumber(0, 10)
    .optional()
    .describe(
      "how many of your proxies are in front, each of which appends its client's address to x-forwarded-for, a whole number from 0 to 10, " +
        "such as HANDRAIL_PROXIES=2; 1 with an https HANDRAIL_ORIGIN unless you say otherwise, and 0 without",
    ),
  HANDRAIL_BOOTSTRAP_TOKEN: secretToken("HANDRAIL_BOOTSTRAP_TOKEN"),
  HANDRAIL_METRICS_TOKEN: secretToken("HANDRAIL_METRICS_TOKEN"),
  HANDRAIL_WORKER_PORT: wholeNumber(1, 65_535)
    .optional()
    .describe(
      "where a worker serves its metrics and health, a whole number from 1 to 65535, such as HANDRAIL_WORKER_PORT=9464, or be left out",
    ),
  HANDRAIL_WORKER_HOST: host.describe(
    "a name or address of this machine, such as HANDRAIL_WORKER_HOST=127.0.0.1, or HANDRAIL_WORKER_HOST=0.0.0.0 together with HANDRAIL_METRICS_TOKEN",
  ),
  HANDRAIL_OTLP_TOKEN: secretToken("HANDRAIL_OTLP_TOKEN"),
});

type OfDoors = z.output<typeof doors> & z.output<typeof demo>;

/** Whether browsers on other machines are to find the console there. */
const isElsewhere = (origin: string | null | undefined): origin is string =>
  origin != null && !LOOPBACK_ORIGIN.test(origin.replace(/^https:/, "http:").replace(/\/$/, ""));

/**
 * If others can reach the console, they must sign in, at an address that their browser can trust; and none of them may
 * be the demo's admin.
 * @returns what is wrong, in sentences
 */
export function openDoors({ HOST, HANDRAIL_SIGN_IN, HANDRAIL_ORIGIN, HANDRAIL_DEMO, ...worker }: OfDoors): string[] {
  const wrong = openWorkerDoor(worker);
  const isOpen = !LOOPBACK.includes(HOST);
  if (isOpen && HANDRAIL_SIGN_IN === "off")
    wrong.push(
      `HOST is "${HOST}", where others reach the console, and there is no sign-in: set HANDRAIL_SIGN_IN=on, or HOST=127.0.0.1.`,
    );
  if (isOpen && HANDRAIL_ORIGIN === undefined)
    wrong.push(
      `HOST is "${HOST}", and the address at which browsers open the console is missing: set HANDRAIL_ORIGIN, such as ` +
        "HANDRAIL_ORIGIN=https://handrail.example.com.",
    );
  if (HANDRAIL_DEMO === "on" && (isOpen || isElsewhere(HANDRAIL_ORIGIN)))
    wrong.push("The demo is for this machine alone: leave HOST and HANDRAIL_ORIGIN out.");
  return wrong;
}

/**
 * Behind a proxy on its own machine, a console listens on loopback, and others reach it all the same. Asked of consoles alone: workers, and
 * apps with Handrail within them, set the same address for the links that they send.
 * @returns what is wrong, in sentences
 */
export function openConsole({ signIn, origin }: { signIn: boolean; origin: string | null }): string[] {
  if (signIn || !isElsewhere(origin)) return [];
  return [
    `HANDRAIL_ORIGIN is "${origin}", where others reach the console, and there is no sign-in: set HANDRAIL_SIGN_IN=on, or leave ` +
      "HANDRAIL_ORIGIN out.",
  ];
}

/** Where a worker serves its metrics and health; null: nowhere. */
export const workerPortOf = (data: Pick<OfDoors, "HANDRAIL_WORKER_PORT" | "HANDRAIL_WORKER_HOST">) =>
  data.HANDRAIL_WORKER_PORT === undefined ? null : { port: data.HANDRAIL_WORKER_PORT, host: data.HANDRAIL_WORKER_HOST };

function openWorkerDoor({
  HANDRAIL_WORKER_PORT: port,
  HANDRAIL_WORKER_HOST: host,
  HANDRAIL_METRICS_TOKEN: token,
}: Pick<OfDoors, `HANDRAIL_${"WORKER_PORT" | "WORKER_HOST" | "METRICS_TOKEN"}`>): string[] {
  if (port === undefined || token !== undefined || LOOPBACK.includes(host)) return [];
  return [
    `HANDRAIL_WORKER_HOST is "${host}", where others read the worker's metrics, and there is no token: set HANDRAIL_METRICS_TOKEN, ` +
      "or HANDRAIL_WORKER_HOST=127.0.0.1.",
  ];
}
