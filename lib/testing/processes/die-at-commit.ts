import pg from "pg";
import type { CommitMoment } from "./crash";

type Query = (...given: unknown[]) => Promise<unknown>;

/** From now on this process kills itself, by a real signal, at the next commit of a transaction. */
export function dieAtCommit(moment: CommitMoment): void {
  const client = pg.Client.prototype as unknown as { query: Query };
  const { query } = client;
  client.query = function (this: unknown, ...given) {
    if (given[0] !== "commit") return query.apply(this, given);
    if (moment === "before") process.kill(process.pid, "SIGKILL");
    return query.apply(this, given).then(() => process.kill(process.pid, "SIGKILL"));
  };
}
