import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

/** A body as it really ran, in any process. */
export interface Body {
  runId: string;
  step: string;
  /** What this body must be the only one for, or one of few: a word, a nominal time. */
  lane: string;
  /** The step's idempotency key, where a proof counts effects by it. */
  token?: string;
  /** Milliseconds since 1970, by the machine's clock, whatever the process of the body takes for the time. */
  beganAt: number;
  /** Absent: it was interrupted with its process. */
  endedAt?: number;
}

/** Records bodies apart from the engine and its database: they report themselves, over a socket. */
export interface BodyLedger {
  url: string;
  readonly bodies: readonly Body[];
  stop(): Promise<void>;
}

export async function openBodyLedger(): Promise<BodyLedger> {
  const bodies: Body[] = [];
  const server = createServer(async (request, response) => {
    const said = (await readJson(request)) as Body & { id?: number };
    if (said.id === undefined) response.end(JSON.stringify({ id: bodies.push(said) - 1 }));
    else {
      Object.assign(bodies[said.id] as Body, { endedAt: said.endedAt });
      response.end("{}");
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bodies,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  let text = "";
  for await (const chunk of request) text += chunk;
  return JSON.parse(text);
}

/** Date may be wrong on purpose in this process. */
const now = () => performance.timeOrigin + performance.now();

async function tell(said: object): Promise<{ id: number }> {
  const response = await fetch(process.env.HANDRAIL_FAULT_LEDGER as string, {
    method: "POST",
    body: JSON.stringify(said),
  });
  return (await response.json()) as { id: number };
}

/** Does the work of a body under the ledger's observation. */
export async function seen<Result>(
  about: Pick<Body, "runId" | "step" | "lane" | "token">,
  work: () => Promise<Result>,
): Promise<Result> {
  const { id } = await tell({ ...about, beganAt: now() });
  try {
    return await work();
  } finally {
    await tell({ id, endedAt: now() });
  }
}
