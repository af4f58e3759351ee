import { appendFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { startSandbox } from "./server";

/** A sandbox of the test's own, spoken to with fetch as a workflow would. */
export async function aSandbox() {
  const directory = await mkdtemp(join(tmpdir(), "handrail-sandbox-"));
  let running = await startSandbox({ port: 0, smtpPort: 0, directory });
  onTestFinished(async () => {
    await running.stop();
    await rm(directory, { recursive: true });
  });

  const fetchHere = (path: string, init?: RequestInit) => fetch(running.url + path, init);
  return {
    directory,
    fetch: fetchHere,
    smtpPort: () => running.smtpPort,
    get: async (path: string) => answerOf(await fetchHere(path)),
    put: async (path: string, body: unknown) => answerOf(await fetchHere(path, json("PUT", body))),
    post: async (path: string, body: unknown, idempotencyKey?: string) =>
      answerOf(await fetchHere(path, json("POST", body, idempotencyKey))),
    async restart(): Promise<void> {
      await running.stop();
      running = await startSandbox({ port: 0, smtpPort: 0, directory });
    },
    /** Restarts after a crash that tore the last line of one journal. */
    async restartTorn(journal: string, torn: string): Promise<void> {
      await running.stop();
      await appendFile(join(directory, journal), torn);
      running = await startSandbox({ port: 0, smtpPort: 0, directory });
    },
  };
}

export type TestSandbox = Awaited<ReturnType<typeof aSandbox>>;

function json(method: string, body: unknown, idempotencyKey?: string): RequestInit {
  const headers = { "Content-Type": "application/json", ...(idempotencyKey && { "Idempotency-Key": idempotencyKey }) };
  return { method, headers, body: JSON.stringify(body) };
}

async function answerOf(response: Response) {
  return { status: response.status, body: await response.json() };
}
