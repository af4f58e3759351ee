/*
 * How a case speaks to a client in any language: a driver, which is a program on that client. Each line of its standard input is a
 * command, each line of its standard output an answer or a report. Values in them are JSON as the API has it, `$type` and all: a driver
 * decodes them for its client, and encodes what comes back. docs/any-language.md says it for people.
 */

/** What a body does when it is called: the first time the first of its list, and from then on the last. */
export type BodyAct =
  | { return: unknown }
  /** Returns the run's input. */
  | { input: true }
  /** Fails; with `afterMs`, to be tried again after exactly that long. */
  | { fail: string; afterMs?: number }
  /** Fails for good. */
  | { final: string }
  /** Its answer was lost. */
  | { lost: string }
  /** Returns once it is released, or once its run is to stop. */
  | { hold: unknown }
  /** Ends the driver's process by SIGKILL. */
  | { die: true }
  /** Returns lists in lists, so many deep. */
  | { depth: number }
  /** Returns a text of so many characters. */
  | { length: number };

/** A line of a workflow's code. Its output is an object: what each line returned, by its name. */
export type Line =
  | {
      step: string;
      effect?: "pure" | "idempotent" | "once";
      retry?: Record<string, number>;
      /** The code catches every error that it can, and has its message as the output. */
      caught?: boolean;
      /** Its reference is this text. */
      reference?: string;
      instructions?: string;
      bodies: BodyAct[];
    }
  | { sleep: string; ms: number }
  | {
      event: string;
      name: string;
      key?: string;
      where?: Record<string, string[] | { gte: number }>;
      timeoutMs?: number;
      default?: unknown;
    }
  | { approval: string; question: string; choices?: string[] }
  /** The code itself fails. */
  | { fails: string };

/** As it is registered, in the words of the API, and its code. */
export interface Program {
  workflow: { name: string; version?: number } & Record<string, unknown>;
  /** Steps that it compensates automatically. */
  undos?: string[];
  code: Line[];
}

export type Command =
  /** Registers a worker, and works until `stop`. Answers once it is registered. */
  | { do: "work"; programs: Program[]; leaseMs: number }
  | { do: "stop" }
  /** Lets bodies of this step go on that hold, now and later. */
  | { do: "release"; step: string }
  | { do: "start"; workflow: string; input: unknown; idempotencyKey?: string }
  | { do: "result"; runId: string; timeoutMs: number }
  | { do: "send"; event: string; payload: unknown; runId?: string; key?: string; eventId?: string }
  | { do: "cancel"; runId: string }
  /** The run as the API shows it, or the ids of a workflow's runs. */
  | { do: "status"; runId: string }
  | { do: "list"; workflow: string };

/** `error`: the code of the client's error. */
export type Answer = { id: number; ok: unknown } | { id: number; error: string; message: string };

/** Written before a body does anything: its step, the key for the provider, and which of its process's calls it is. */
export interface Report {
  body: string;
  key: string;
  call: number;
  /** Of a compensation. */
  undo?: boolean;
}
