import * as endpoints from "../endpoints";
import { route } from "../route";

/** An Idempotency-Key has nothing to keep here: whoever asks twice finds less to do. */
export const driveRuns = route(endpoints.driveRuns, async ({ body, server }) => {
  const { ended, ...told } = await server.drive(body);
  const { completed, failed, cancelled, waiting: suspended, pending: handedBack, compensating, lost } = ended;
  const ends = { completed, failed, cancelled, suspended, handedBack, compensating, lost };
  return { status: 200, body: { ...told, ended: completed + failed + cancelled, ...ends } };
});
