import { randomUUID } from "node:crypto";
import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { cache } from "react";
import type { Asker } from "../../access/asker";
import { callerIfAny } from "../../access/who-asks";
import { AGE_HEADER, laterOf, WAL_HEADER } from "../../engine/wal-position";
import { ANSWER_MS, within } from "../../operator/health/database-pulse";
import { databaseTrouble } from "../../operator/health/database-trouble";
import { server } from "../../server";
import { endpointAt } from "../all-endpoints";
import { addressOf } from "../client/address";
import type { Read } from "../client/client";
import { positionInCookie, type Shown } from "../client/sight-of-browser";
import type { Reply } from "../endpoint";
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

export interface PageReader {
  read: Read;
  /** By the reads so far. */
  shown(): Shown;
}

/** Answers the page's user as the API does, without an HTTP request; null while the database does not answer. */
export async function readerOfPage(): Promise<PageReader | null> {
  const asker = await askerOfPage();
  if (asker === null) return null;
  let position = positionInCookie((await headers()).get("cookie"));
  const ages: Shown["ages"] = [];
  const read = async (path: string, given: object): Promise<unknown> => {
    const request = new Request(new URL(`/api${addressOf(path, given)}`, "http://localhost"), {
      headers: position === null ? {} : { [WAL_HEADER]: position },
    });
    const reply = (await answer(server(), endpointAt("GET", path), asker, request, randomUUID())) as Reply<unknown>;
    position = laterOf(position, reply.headers?.[WAL_HEADER] ?? null);
    if (reply.headers?.[AGE_HEADER] !== undefined) ages.push([path, Number(reply.headers[AGE_HEADER])]);
    return reply.body;
  };
  return { read: read as Read, shown: () => ({ position, ages }) };
}
