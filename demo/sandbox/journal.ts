import { type FileHandle, mkdir, open } from "node:fs/promises";
import { join } from "node:path";

/** The journals of one sandbox, `<name>.ndjson` each, opened one by one and closed together. */
export class JournalFolder {
  readonly #opened: Journal<never>[] = [];

  constructor(readonly directory: string) {}

  /** Replays what was recorded before through `apply`, which also sees every later entry. Rejects if it is damaged. */
  async open<Entry>(name: string, apply: (entry: Entry) => void): Promise<Journal<Entry>> {
    await mkdir(this.directory, { recursive: true });
    const journal = await Journal.open(join(this.directory, `${name}.ndjson`), apply);
    this.#opened.push(journal);
    return journal;
  }

  async close(): Promise<void> {
    await Promise.all(this.#opened.map((journal) => journal.close()));
  }
}

/**
 * What one service remembers, as an append-only NDJSON file.
 *
 * Guarantee: whatever was recorded before `onDisk()` was called has been fsynced once it resolves, so an
 * answer that waits for it never promises more than a restart will find. Entries recorded while a write is under
 * way share the next fsync. After a failed write every later `onDisk()` rejects: a ledger that may have
 * a hole must not go on answering.
 */
export class Journal<Entry> {
  #unwritten: string[] = [];
  #written: Promise<void> = Promise.resolve();

  private constructor(
    private readonly file: FileHandle,
    private readonly apply: (entry: Entry) => void,
  ) {}

  static async open<Entry>(path: string, apply: (entry: Entry) => void): Promise<Journal<Entry>> {
    const file = await open(path, "a+");
    try {
      const lines = await wholeLines(file);
      for (const [index, line] of lines.entries()) apply(parseLine(line, path, index + 1));
      return new Journal(file, apply);
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  /** Takes effect at once, in memory, so that two requests can never both be the first. */
  record(entry: Entry): void {
    this.apply(entry);
    this.#unwritten.push(`${JSON.stringify(entry)}\n`);
    if (this.#unwritten.length === 1) this.#written = this.#written.then(() => this.#write());
  }

  onDisk(): Promise<void> {
    return this.#written;
  }

  async close(): Promise<void> {
    await this.#written;
    await this.file.close();
  }

  async #write(): Promise<void> {
    await this.file.appendFile(this.#unwritten.splice(0).join(""));
    await this.file.datasync();
  }
}

/** A last line that a crash tore was never acknowledged: it is cut off, so that the next one starts afresh. */
async function wholeLines(file: FileHandle): Promise<string[]> {
  const text = await file.readFile("utf8");
  const whole = text.slice(0, text.lastIndexOf("\n") + 1);
  if (whole.length < text.length) await file.truncate(Buffer.byteLength(whole));
  return whole.split("\n").slice(0, -1);
}

function parseLine<Entry>(line: string, path: string, number: number): Entry {
  try {
    return JSON.parse(line);
  } catch (cause) {
    throw new Error(`${path}:${number} is not JSON; the sandbox will not guess what happened`, { cause });
  }
}
