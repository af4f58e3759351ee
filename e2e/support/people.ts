import type { BrowserContextOptions } from "@playwright/test";
import type { Role } from "../../lib/engine/access/permission";
import { serverEnvironment } from "./server";

/** The demo's people are called by their roles. */
export type Person = Role;

const { PORT } = await serverEnvironment();
const ORIGIN = `http://127.0.0.1:${PORT}`;
export const BASE = `${ORIGIN}/api/v1`;

const signedIn = new Map<Person, Promise<string>>();

/** Once in each process that runs specs. A spec that signs out, or ends sessions, signs in by itself. */
function cookieOf(person: Person): Promise<string> {
  const known = signedIn.get(person) ?? signIn(person);
  signedIn.set(person, known);
  return known;
}

async function signIn(role: Person): Promise<string> {
  const response = await fetch(`${BASE}/demo/session`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ role }),
  });
  const [, value] = /^handrail=([^;]+)/.exec(response.headers.get("set-cookie") ?? "") ?? [];
  if (value === undefined) throw new Error(`Nobody could be the ${role}: ${response.status} ${await response.text()}`);
  return value;
}

/** What a page of theirs sends with each request. */
export const headersOf = async (person: Person): Promise<Record<string, string>> => ({
  cookie: `handrail=${await cookieOf(person)}`,
  origin: ORIGIN,
});

/** For a browser of theirs. */
export const stateOf = async (person: Person): Promise<NonNullable<BrowserContextOptions["storageState"]>> => {
  const place = {
    domain: "127.0.0.1",
    path: "/",
    expires: -1,
    httpOnly: true,
    secure: false,
    sameSite: "Lax",
  } as const;
  return { cookies: [{ name: "handrail", value: await cookieOf(person), ...place }], origins: [] };
};
