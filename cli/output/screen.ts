import type { WriteStream } from "node:tty";
import { type Paint, painter } from "./paint";
import { jsonText } from "./plain";
import { tableText } from "./table";

export interface ScreenOptions {
  json: boolean;
  /** Where the streams are terminals. */
  colours: boolean;
}

/** What a command writes: answers to stdout, everything else to stderr. */
export class Screen {
  readonly json: boolean;
  /** For stdout, and for stderr. */
  readonly paint: Paint;
  readonly paintAside: Paint;

  constructor(
    private readonly out: WriteStream,
    private readonly err: WriteStream,
    { json, colours }: ScreenOptions,
  ) {
    this.json = json;
    this.paint = painter(colours && !json && out.isTTY);
    this.paintAside = painter(colours && err.isTTY);
  }

  /** The API's answer: as one JSON document with `--json`, else as it is drawn. */
  answer<Answer>(answer: Answer, draw: (answer: Answer) => string): void {
    this.line(this.json ? jsonText(answer, this.out.isTTY ? 2 : undefined) : draw(answer));
  }

  /** One of many: a line of NDJSON with `--json`. */
  entry<Entry>(entry: Entry, draw: (entry: Entry) => string): void {
    this.line(this.json ? jsonText(entry) : draw(entry));
  }

  line(text: string): void {
    this.text(`${text}\n`);
  }

  /** As it is. */
  text(text: string): void {
    this.out.write(text);
  }

  table(head: readonly string[], rows: readonly (readonly string[])[]): string {
    return tableText(head, rows, { paint: this.paint, columns: this.out.isTTY ? this.out.columns : undefined });
  }

  /** What people should know beside the answer; nothing with `--json`. */
  note(text: string): void {
    if (!this.json) this.err.write(`${this.paintAside("gray", text)}\n`);
  }

  warn(text: string): void {
    this.err.write(`${this.paintAside("yellow", text)}\n`);
  }

  complain(message: string, facts: string, problems: readonly string[]): void {
    const lines = [message, ...problems.map((problem) => `  ${problem}`)];
    this.err.write(`${lines.join("\n")}\n${facts === "" ? "" : `${this.paintAside("gray", facts)}\n`}`);
  }

  errorObject(error: object): void {
    this.err.write(`${jsonText(error)}\n`);
  }

  /** Ends the process, whatever else it has open, once all is written. */
  async end(code: number): Promise<never> {
    for (const stream of [this.out, this.err]) await new Promise((resolve) => stream.write("", resolve));
    process.exit(code);
  }

  /** Where a bar can be drawn; null where nobody would see it move. */
  get moving(): WriteStream | null {
    return this.err.isTTY && !this.json ? this.err : null;
  }
}
