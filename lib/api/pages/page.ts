import { randomUUID } from "node:crypto";
import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { cache } from "react";
import type { Asker } from "../../access/asker";
import { callerIfAny } from "../../access/who-asks";
import { server } from "../../server";
import { endpointAt } from "../all-endpoints";
import { addressOf } from "../client/address";
import type { Read } from "../client/client";
import { answer } from "../http/route";
import { refuseOtherHosts } from "../http/same-origin";

const SIGN_IN_PAGE = "/sign-in";

/** The caller of a page; unauthenticated users are redirected to the sign-in. No page shows anything before this. */
export const askerOfPage = cache(async (): Promise<Asker> => {
  const requested = await headers();
  const { db, env } = server();
  refuseOtherHosts(requested.get("host") ?? "", env);
  const asker = await callerIfAny(db, requested, env);
  return asker ?? redirect(SIGN_IN_PAGE);
});

/** Answers the page's user as the API does, without an HTTP request. */
export async function readerOfPage(): Promise<Read> {
  const asker = await askerOfPage();
  const read = async (path: string, given: object): Promise<unknown> => {
    const request = new Request(new URL(`/api${addressOf(path, given)}`, "http://localhost"));
    const reply = await answer(server(), endpointAt("GET", path), asker, request, randomUUID());
    return (reply as { body: unknown }).body;
  };
  return read as Read;
}
