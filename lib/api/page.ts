import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { cache } from "react";
import type { Asker } from "../access/asker";
import { whoAsksIfAnybody } from "../access/who-asks";
import { server } from "../server";
import type { Reads } from "./client";
import { maskedReads } from "./masked-reads";
import { permittedReads } from "./permitted-reads";
import { refuseOtherHosts } from "./same-origin";

const SIGN_IN_PAGE = "/sign-in";

/** Who looks at a page; whoever has not said who they are is sent to where they can. No page shows anything before this. */
export const askerOfPage = cache(async (): Promise<Asker> => {
  const asked = await headers();
  const { db, env } = server();
  refuseOtherHosts(asked.get("host") ?? "", env);
  const asker = await whoAsksIfAnybody(db, asked, env);
  return asker ?? redirect(SIGN_IN_PAGE);
});

/** What whoever looks at the page may read, without what is masked. */
export async function readsOfPage(): Promise<Reads> {
  const { db, reads } = server();
  const asker = await askerOfPage();
  return maskedReads(db, permittedReads(reads, asker), asker);
}
