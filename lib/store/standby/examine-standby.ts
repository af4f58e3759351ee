import type { Finding } from "../database/doctor";
import type { Db } from "../db";
import { messageOf } from "../migrations/apply";
import { Standby, type StandbyOptions } from "./standby";

const RULE = {
  name: "The standby of DATABASE_READ_URL can be read from",
  promise: "",
  meaning: 'The console reads from the primary meanwhile; see "Reads from a standby" in docs/poolers-and-failover.md',
};

/** For the doctor: whether the standby answers, is one, is of this database and is not too far behind. */
export async function examineStandby(
  given: Pick<StandbyOptions, "databaseUrl" | "maxLagMs">,
  primary: Db,
): Promise<Finding<typeof RULE>> {
  const standby = new Standby({ ...given, primary, onChange: () => undefined });
  const { trouble } = await standby.health();
  await standby.close();
  return { rule: RULE, hits: trouble === null ? [] : [{ because: messageOf(trouble) }], more: false };
}
