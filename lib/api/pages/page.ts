import { randomUUID } from "node:crypto";
import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { cache } from "react";
import type { Asker } from "../../access/asker";
import { callerIfAny } from "../../access/who-asks";
import { ANSWER_MS, within } from "../../operator/health/database-pulse";
import { databaseTrouble } from "../../operator/health/database-trouble";
import { server } from "../../server";
import { endpointAt } from "../all-endpoints";
import { addressOf } from "../client/address";
import type { Read } from "../client/client";
import { answer } from "../http/route";
import { refuseOtherHosts } from "../http/same-origin";

const SIGN_IN_PAGE = "/sign-in";

/**
 * The caller of a page; unauthenticated users are redirected to the sign-in. No page shows anything before this. Null while the
 * database does not answer: then the page is drawn without anything read, and the API tells the browser who may read it.
 */
export const askerOfPage = cache(async (): Promise<Asker | null> => {
  const requested = await headers();
  const { db, env } = server();
  refuseOtherHosts(requested.get("host") ?? "", env);
  const asker = await within(callerIfAny(db, requested, env).catch(unlessTrouble), ANSWER_MS, UNKNOWN);
  return asker === UNKNOWN ? null : (asker ?? redirect(SIGN_IN_PAGE));
});

const UNKNOWN = Symbol("the database does not answer");

function unlessTrouble(error: unknown): typeof UNKNOWN {
  if (databaseTrouble(error)) return UNKNOWN;
  throw error;
}

/** Answers the page's user as the API does, without an HTTP request; null while the database does not answer. */
export async function readerOfPage(): Promise<Read | null> {
  const asker = await askerOfPage();
  if (asker === null) return null;
  const read = async (path: string, given: object): Promise<unknown> => {
    const request = new Request(new URL(`/api${addressOf(path, given)}`, "http://localhost"));
    const reply = await answer(server(), endpointAt("GET", path), asker, request, randomUUID());
    return (reply as { body: unknown }).body;
  };
  return read as Read;
}
