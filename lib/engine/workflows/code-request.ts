import { type ErrorCode, HandrailError, isHandrailError } from "../errors";
import type { Pause } from "../parts";
import { type RunToStart, refusedAt, type StartOptions } from "../runs/start";
import { decodeValue, encodeValue } from "../values/codec";
import type { Workflow } from "./workflow";
import { codeHere, type GivenStart } from "./workflow-code";

/*
 * What a process without a workflow's code asks of a worker that has it, and the answer, as texts. The worker computes and writes
 * nothing: a request that is repeated, or whose answer is lost, changes nothing.
 */

/** A start as it is asked for. */
export interface StartAsked {
  /** By the codec. */
  input: string;
  options: Omit<StartOptions, "runAt">;
  runAtMs: string | null;
  /** As `GivenStart` has it; workers of earlier releases ignore it. */
  parsedBy?: number;
}

type Request =
  /** `from`: the index of the first of them among many; null for one start. */
  { starts: StartAsked[]; from: number | null } | { event: string; payload: string };

type Answer =
  | { prepared: (Omit<RunToStart, "runAt"> & { runAt: string | null })[] }
  | { fits: true }
  | { refused: Pick<HandrailError, "code" | "message" | "details"> };

/** @param from the index of the first among many; null for one start */
export const startsRequest = (starts: StartAsked[], from: number | null): string => written({ starts, from });

export const payloadRequest = (event: string, payload: unknown): string =>
  written({ event, payload: encoded(payload, `payload of event "${event}"`) });

const written = (request: Request) => JSON.stringify(request);

export function startAsked({ input, options: { runAt, ...options } = {}, ...parsing }: GivenStart): StartAsked {
  // As a number in a text: an instant that is none has no other form.
  const runAtMs = runAt === undefined ? null : String(runAt.getTime());
  return { input: encoded(input, "input"), options, runAtMs, ...parsing };
}

/** Whether it is too large is decided by the code, which may make it smaller. */
const encoded = (value: unknown, where: string) => encodeValue(value, where, { maxBytes: Number.POSITIVE_INFINITY });

/**
 * Answers by this code, as if it had been asked in its own process.
 * @param workflows of one name
 * @throws what the code throws beyond refusals
 */
export async function answerOf(workflows: readonly Workflow[], name: string, text: string, pause: Pause) {
  try {
    return answered(await computed(workflows, name, JSON.parse(text) as Request, pause));
  } catch (error) {
    if (isHandrailError(error)) return refusalOf(error);
    throw error;
  }
}

export const refusalOf = ({ code, message, details }: HandrailError): string =>
  answered({ refused: { code, message, details } });

const answered = (answer: Answer): string => JSON.stringify(answer);

async function computed(
  workflows: readonly Workflow[],
  name: string,
  request: Request,
  pause: Pause,
): Promise<Exclude<Answer, { refused: unknown }>> {
  const code = codeHere(workflows);
  if ("event" in request) {
    await code.checkPayload(request.event, decodeValue(request.payload), name);
    return { fits: true };
  }
  const { starts, from } = request;
  const prepared: RunToStart[] = [];
  for (const [index, start] of starts.entries())
    prepared.push(
      await code.prepareStart(name, givenStart(start), pause).catch((error) => {
        if (from === null) throw error;
        return refusedAt(from + index, error);
      }),
    );
  return { prepared: prepared.map((run) => ({ ...run, runAt: run.runAt?.toISOString() ?? null })) };
}

const givenStart = ({ input, options, runAtMs, ...parsing }: StartAsked): GivenStart => ({
  ...parsing,
  input: decodeValue(input),
  options: { ...options, ...(runAtMs !== null && { runAt: new Date(Number(runAtMs)) }) },
});

/** The starts of an answer, ready to be written; none if it is about a payload. @throws HandrailError the refusal */
export function preparedBy(text: string): RunToStart[] {
  const answer = JSON.parse(text) as Answer;
  if ("refused" in answer) {
    const { code, message, details } = answer.refused;
    throw new HandrailError(code satisfies ErrorCode, message, details);
  }
  if ("fits" in answer) return [];
  return answer.prepared.map((run) => ({ ...run, runAt: run.runAt === null ? null : new Date(run.runAt) }));
}
