import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { BlobStore } from "../engine/values/blob-store";

export const MIB = 1_048_576;
export const KEY = /^[0-9a-f-]{36}\/[0-9a-f-]{36}$/;

/** A text whose JSON takes more than 1 MiB. */
export const large = (letter: string, mib = 1) => letter.repeat(mib * MIB);

interface BlobRow {
  key: string;
  place: string;
  held: boolean;
  gone: boolean;
  error: string | null;
  failures: number;
}

/** What the database knows of a run's blobs, by place. */
export const blobRows = (
  { rows }: { rows<Row>(text: string, values: unknown[]): Promise<Row[]> },
  runId: string,
): Promise<BlobRow[]> =>
  rows<BlobRow>(
    `select key, place, held, gone_at is not null as gone, error, failures
    from handrail.blob where run_id = $1 order by place`,
    [runId],
  );

/** A blob store in memory, with the faults of real ones. */
export function memoryBlobs() {
  const kept = new Map<string, Uint8Array>();
  const calls = { put: 0, get: 0, delete: 0 };
  const faults: { put?: Fault | undefined; get?: Fault | undefined; delete?: Fault | undefined } = {};
  const refuse = async (call: keyof typeof calls) => {
    calls[call]++;
    const fault = faults[call];
    if (fault === "hangs") await new Promise(() => undefined);
    if (fault === "fails") throw new Error(`503 SlowDown at ${call}`);
  };
  const blobs: BlobStore = {
    async put(key, bytes) {
      await refuse("put");
      kept.set(key, Uint8Array.from(bytes));
      if (faults.put === "loses the answer") throw new Error("socket hang up");
    },
    async get(key) {
      await refuse("get");
      const bytes = kept.get(key);
      return faults.get === "lies" ? bytes?.map((byte) => byte ^ 1) : bytes;
    },
    async delete(keys) {
      await refuse("delete");
      for (const key of keys) kept.delete(key);
      if (faults.delete === "loses the answer") throw new Error("socket hang up");
    },
  };
  return { blobs, kept, calls, faults };
}

type Fault = "fails" | "hangs" | "lies" | "loses the answer";

/** A blob store in a folder, for several processes. */
export function folderBlobs(folder: string): BlobStore {
  const pathOf = (key: string) => join(folder, key);
  return {
    async put(key, bytes) {
      await mkdir(dirname(pathOf(key)), { recursive: true });
      await writeFile(pathOf(key), bytes);
    },
    get: (key) => readFile(pathOf(key)).catch(() => undefined),
    async delete(keys) {
      for (const key of keys) await rm(pathOf(key), { force: true });
    },
  };
}
