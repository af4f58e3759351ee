import { randomUUID } from "node:crypto";
import { mkdir, open, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { Hono } from "hono";
import { z } from "zod";
import { check, Refusal } from "./refusal";
import { type Http, settled, troubled, type World } from "./trouble";

export const BLOB_MAX_BYTES = 5 * 1024 * 1024;

interface Blob {
  key: string;
  size: number;
  contentType: string;
  /** How often its bytes were put: repeated writes show here. */
  writes: number;
  createdAt: string;
  file: string;
}

type Entry =
  | { type: "written"; key: string; file: string; size: number; contentType: string; at: string }
  | { type: "deleted"; key: string };

const keySchema = z.string().min(1).max(500);

/** The blob store. The listing answers even while the store is down: observers use it. */
export async function openBlobs(world: World) {
  const blobs = new Map<string, Blob>();
  const journal = await world.journals.open<Entry>("blobs", (entry) => apply(blobs, entry));
  const files = await openFiles(join(world.journals.directory, "blobs"), blobs);

  return new Hono<Http>()
    .use("/:key{.+}", troubled(world, "blobs"))
    .use(settled(journal))
    .get("/", (c) => c.json({ blobs: [...blobs.values()].map(described) }))
    .put("/:key{.+}", async (c) => {
      const key = check(keySchema, c.req.param("key"));
      const bytes = Buffer.from(await c.req.arrayBuffer());
      const contentType = c.req.header("Content-Type") ?? "application/octet-stream";
      const file = await files.write(bytes);
      const known = blobs.has(key);
      const at = new Date().toISOString();
      journal.record({ type: "written", key, file, size: bytes.length, contentType, at });
      return c.json(described(blobNamed(blobs, key)), known ? 200 : 201);
    })
    .get("/:key{.+}", async (c) => {
      const blob = blobNamed(blobs, c.req.param("key"));
      return c.body(await files.read(blob.file), 200, { "Content-Type": blob.contentType });
    })
    .delete("/:key{.+}", (c) => {
      const key = c.req.param("key");
      if (blobs.has(key)) journal.record({ type: "deleted", key });
      return c.body(null, 204);
    });
}

function apply(blobs: Map<string, Blob>, entry: Entry): void {
  if (entry.type === "deleted") {
    blobs.delete(entry.key);
    return;
  }
  const { type: _, at, ...written } = entry;
  const before = blobs.get(entry.key);
  blobs.set(entry.key, { ...written, writes: (before?.writes ?? 0) + 1, createdAt: before?.createdAt ?? at });
}

function described({ file: _, ...blob }: Blob): Omit<Blob, "file"> {
  return blob;
}

function blobNamed(blobs: Map<string, Blob>, key: string): Blob {
  const blob = blobs.get(key);
  if (!blob) throw new Refusal("not_found", `there is no blob ${key}`);
  return blob;
}

/** Each write has a separate file; files that no key refers to are deleted at the next start, never under a reader. */
async function openFiles(directory: string, blobs: Map<string, Blob>) {
  await mkdir(directory, { recursive: true });
  const wanted = new Set([...blobs.values()].map((blob) => blob.file));
  const unwanted = (await readdir(directory)).filter((file) => !wanted.has(file));
  await Promise.all(unwanted.map((file) => rm(join(directory, file))));

  return {
    read: (file: string) => readFile(join(directory, file)),
    /** Returns the name of the new file once its bytes are on disk. */
    async write(bytes: Buffer): Promise<string> {
      const file = randomUUID();
      const handle = await open(join(directory, file), "wx");
      try {
        await handle.writeFile(bytes);
        await handle.datasync();
      } finally {
        await handle.close();
      }
      return file;
    },
  };
}
