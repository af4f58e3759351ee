import { type Asker, ownerOf } from "../../access/asker";
import { HandrailError } from "../../engine/errors";
import { AGE_HEADER, isWalPosition, laterOf, WAL_HEADER, type WalPosition } from "../../engine/wal-position";
import type { Server } from "../../server";
import { positionInCookie } from "../client/sight-of-browser";
import type { Endpoint, Reply } from "../endpoint";

type Answer = Reply<unknown> | Response;
type Standby = NonNullable<Server["standby"]>;
type StandbyReader = ReturnType<Standby["reader"]>;

/**
 * The one place that decides where a request reads. With a standby, every answer to a known caller carries a position of
 * the primary's log: what it has written or can have seen. A read goes to the standby only if it has replayed all that
 * the request carries (a header of programs, a cookie of browsers), and all that its sender has written in this process.
 * @param answer answers with this server's `db`; called again with the primary where the standby fails, of reads alone
 */
export async function withSight(
  server: Server,
  endpoint: Endpoint,
  asker: Asker | null,
  request: Request,
  answer: (server: Server) => Promise<Answer>,
): Promise<Answer> {
  const { standby } = server;
  if (standby === null || asker === null || endpoint.elsewhere) return answer(server);
  if (endpoint.method !== "GET") return afterWrite(standby, ownerOf(asker), () => answer(server));
  if (!endpoint.standby) {
    const reply = await answer(server);
    return endpoint.contentType === "application/json" ? withHeaders(reply, await standby.position()) : reply;
  }
  const [carried, written] = [positionOf(request.headers), await standby.floorOf(ownerOf(asker))];
  const reader = standby.reader(written === undefined ? undefined : laterOf(carried, written));
  // A stream says its age before it reads.
  if (endpoint.contentType !== "application/json") await reader.begin();
  const reply = await fromStandby(server, reader, answer);
  standby.reads[reader.place === "standby" ? "standby" : "primary"]++;
  if (reader.place !== "standby") return withHeaders(reply, await standby.position());
  return withHeaders(asOld(reply, reader.ageMs), reader.seen, reader.ageMs);
}

/** Also a write that failed may have been carried out. */
async function afterWrite(standby: Standby, owner: string, write: () => Promise<Answer>): Promise<Answer> {
  try {
    const reply = await write();
    return withHeaders(reply, await standby.advance(owner));
  } catch (error) {
    await standby.advance(owner);
    throw error;
  }
}

async function fromStandby(
  server: Server,
  reader: StandbyReader,
  answer: (server: Server) => Promise<Answer>,
): Promise<Answer> {
  try {
    const reply = await answer({ ...server, db: reader.db });
    if (reader.place !== "both") return reply;
    if (reply instanceof Response) await reply.body?.cancel();
  } catch (error) {
    // What the standby does not have yet, the primary may have.
    if (reader.place === "primary") throw error;
  }
  reader.leave();
  return answer(server);
}

/** @throws HandrailError `invalid_request` for a header that is no position; such a cookie is ignored */
function positionOf(headers: Headers): WalPosition | null {
  const given = headers.get(WAL_HEADER);
  if (given !== null && !isWalPosition(given))
    throw new HandrailError("invalid_request", `The ${WAL_HEADER} header is no position, such as 16/B374D848.`);
  return laterOf(given, positionInCookie(headers.get("cookie")));
}

/** The instant of a page's data is that of the standby. */
function asOld(reply: Answer, ageMs: number): Answer {
  if (reply instanceof Response) return reply;
  const { updatedAt } = reply.body as { updatedAt?: unknown };
  if (typeof updatedAt !== "string") return reply;
  const body = { ...(reply.body as object), updatedAt: new Date(Date.parse(updatedAt) - ageMs).toISOString() };
  return { ...reply, body };
}

function withHeaders(reply: Answer, position: WalPosition | null, ageMs?: number): Answer {
  const headers = {
    ...(position !== null && { [WAL_HEADER]: position }),
    ...(ageMs !== undefined && { [AGE_HEADER]: String(Math.round(ageMs)) }),
  };
  if (!(reply instanceof Response)) return { ...reply, headers };
  for (const [name, value] of Object.entries(headers)) reply.headers.set(name, value);
  return reply;
}
