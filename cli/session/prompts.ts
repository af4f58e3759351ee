import { createInterface } from "node:readline/promises";
import { Interrupted } from "./stops";

/** Questions to a person: on stderr, so that stdout stays the answer's. */
export interface Prompts {
  /** Whether there is a person at a terminal. */
  readonly possible: boolean;
  /** One line. Ctrl-D is an empty one. @throws Interrupted at Ctrl-C */
  ask(question: string): Promise<string>;
}

export const prompts: Prompts = {
  get possible() {
    return Boolean(process.stdin.isTTY && process.stderr.isTTY);
  },
  async ask(question) {
    const lines = createInterface({ input: process.stdin, output: process.stderr });
    const stop = new AbortController();
    const ended = new Promise<string>((resolve) => lines.once("close", () => resolve("")));
    lines.once("SIGINT", () => stop.abort());
    try {
      return await Promise.race([lines.question(question, { signal: stop.signal }), ended]);
    } catch (error) {
      if (stop.signal.aborted) throw new Interrupted();
      throw error;
    } finally {
      lines.close();
    }
  },
};

const YES = /^y(es)?$/i;

export const isYes = (answer: string): boolean => YES.test(answer.trim());
