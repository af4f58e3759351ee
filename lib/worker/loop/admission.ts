import { HandrailError } from "../../engine/errors";
import type { Logger } from "../../log";
import { isBeforeBaseline, readAdmission } from "../../store/database/admission";
import { sleep } from "../../store/database/backoff";
import { MADE_BEFORE_BASELINE } from "../../store/database/known-migrations";
import { type Db, sqlState } from "../../store/db";

const LOOK_AGAIN_MS = 500;
/** Missing schema, table or column. */
const NOT_THERE = ["3F000", "42P01", "42703"];

/** A migration asks the workers to drain, for a short time. */
export class StandAside extends HandrailError {
  constructor() {
    super("unavailable", "The database is being migrated. Workers wait until the migration is done.");
  }
}

/**
 * Whether code that knows these migrations may use this database.
 * @throws StandAside while a migration asks for it; HandrailError when the schema is older, or newer in an incompatible
 * way
 */
export async function assertAdmitted(db: Db, known: readonly string[]): Promise<void> {
  const { draining, missing, foreign } = await readAdmission(db, known).catch((error: unknown) => {
    if (NOT_THERE.includes(sqlState(error) ?? "")) throw olderThan(known.slice(-1));
    throw error;
  });
  if (draining) throw new StandAside();
  if (missing.length > 0)
    throw (await isBeforeBaseline(db)) ? new HandrailError("unavailable", MADE_BEFORE_BASELINE) : olderThan(missing);
  if (foreign.length > 0)
    throw new HandrailError(
      "unavailable",
      `The database is newer than this worker, which does not know ${listed(foreign)} and could damage data. Start the version that applied it.`,
      { foreign },
    );
}

/**
 * Waits while a migration drains the workers: asks again until it is done, or until this one is to stop.
 * @throws StandAside once it is to stop
 */
export async function onceAdmitted<Joined>(
  join: () => Promise<Joined>,
  log: Logger,
  isStopping: () => boolean,
): Promise<Joined> {
  for (let logged = false; ; logged = true) {
    try {
      return await join();
    } catch (error) {
      if (!(error instanceof StandAside)) throw error;
      if (!logged) log.info(error.message);
      await sleep(LOOK_AGAIN_MS);
      if (isStopping()) throw error;
    }
  }
}

const olderThan = (missing: readonly string[]) =>
  new HandrailError(
    "unavailable",
    `The database is older than this worker: it lacks ${listed(missing)}. Run \`npm run migrate\`.`,
    { missing },
  );

const listed = (names: readonly string[]) =>
  `the migration${names.length > 1 ? "s" : ""} ${names.map((name) => `"${name}"`).join(", ")}`;
