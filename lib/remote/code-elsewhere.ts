import { HandrailError } from "../engine/errors";
import type { RunToStart } from "../engine/runs/start";
import {
  payloadRequest,
  preparedBy,
  type StartAsked,
  startAsked,
  startsRequest,
} from "../engine/workflows/code-request";
import type { GivenStart, WorkflowCode } from "../engine/workflows/workflow-code";
import { unknownVersion, unknownWorkflow } from "../engine/workflows/workflow-versions";
import type { ChangeFeed } from "../operator/changes/change-feed";
import { pause } from "../operator/in-turns";
import { Gathered } from "../store/database/gathered";
import type { Db } from "../store/db";
import { selectTitles } from "../store/reads/flow";
import { newRunId } from "../store/run-id";
import { noteCodeRequest } from "../store/workflows/code-notes";
import {
  type GivenRequest,
  openedAnswer,
  type PutRequest,
  putCodeRequests,
  readCodeAnswers,
  withdrawCodeRequests,
} from "../store/workflows/code-requests";
import { Alarm } from "../worker/loop/alarm";

/** For an answer. Less than a transaction may pause: some callers hold one. */
const LONGEST_MS = 4_000;
/** A note may get lost, and the worker that took a request may die: then it is noted again, and its answer looked for. */
const LOOK_MS = 500;
/** Of one request, so that writing and reading it blocks nothing else. */
const STARTS_AT_ONCE = 500;
const CHARACTERS_AT_ONCE = 524_288;
/** Requests of this process that wait at once. */
const MOST = 2_000;
/** In one statement: requests and answers may be as large as an input. */
const WRITTEN_AT_ONCE = 20;
const READ_AT_ONCE = 20;
const WITHDRAWN_AT_ONCE = 500;

interface Asked extends PutRequest {
  /** Undefined: no worker has answered. */
  answer: string | undefined;
}

/**
 * Code that this process does not have: live workers compute with it, and write nothing. The asking process writes the run, so that
 * an answer that is late or lost starts nothing.
 */
export class CodeElsewhere implements WorkflowCode {
  private readonly waiting = new Map<string, Alarm>();
  private unlisten: (() => void) | undefined;
  private readonly puts = new Gathered((some: GivenRequest[]) => this.put(some), WRITTEN_AT_ONCE);
  private readonly reads = new Gathered((ids: string[]) => readCodeAnswers(this.db, ids), READ_AT_ONCE);
  private readonly notes = new Gathered((ids: string[]) => this.note(ids), MOST);
  private readonly withdrawals = new Gathered((ids: string[]) => this.withdraw(ids), WITHDRAWN_AT_ONCE);

  /**
   * @param db on connections that are free while others hold a transaction and wait for an answer
   * @param here the workflows of this process, to be named beside those of the workers where one is unknown
   */
  constructor(
    private readonly db: Db,
    private readonly feed: ChangeFeed,
    private readonly here: readonly string[],
    private readonly longestMs = LONGEST_MS,
  ) {}

  async prepareStart(workflow: string, start: GivenStart): Promise<RunToStart> {
    const version = start.options?.version;
    const [run] = preparedBy(await this.answerFor(workflow, startsRequest([startAsked(start)], null), version));
    const prepared = run as RunToStart;
    if (version === undefined) return prepared;
    // A worker of a release that knew of no chosen versions answers by its newest.
    if (prepared.version !== version) throw noWorker(workflow, version);
    return { ...prepared, pinned: true };
  }

  async prepareStarts(workflow: string, starts: readonly GivenStart[]): Promise<RunToStart[]> {
    const asked: StartAsked[] = [];
    for (const start of starts) {
      await pause();
      asked.push(startAsked(start));
    }
    const prepared: RunToStart[] = [];
    for (const some of portionsOf(asked))
      prepared.push(...preparedBy(await this.answerFor(workflow, startsRequest(some, prepared.length))));
    return prepared;
  }

  /**
   * By the definitions of one workflow. Without an answer it passes: an event must not be lost for want of a worker, and is checked
   * again where it is taken.
   */
  async checkPayload(event: string, payload: unknown, workflow: string): Promise<void> {
    const { answer } = await this.ask(workflow, payloadRequest(event, payload));
    if (answer !== undefined) preparedBy(answer);
  }

  private async answerFor(workflow: string, request: string, version?: number): Promise<string> {
    const { answer, asked, registered } = await this.ask(workflow, request, version);
    if (answer !== undefined) return answer;
    if (registered.length === 0) {
      const names = (await selectTitles(this.db)).map(({ name }) => name);
      throw unknownWorkflow(workflow, [...new Set([...this.here, ...names])]);
    }
    if (version !== undefined && !registered.includes(version)) throw unknownVersion(workflow, version, registered);
    throw asked ? noAnswer(workflow, this.longestMs) : noWorker(workflow, version);
  }

  private async ask(workflow: string, request: string, version: number | null = null): Promise<Asked> {
    if (this.waiting.size >= MOST)
      throw new HandrailError("too_busy", "Too many starts wait here for workers to prepare them. Try again later.");
    const id = newRunId();
    const alarm = this.await(id);
    try {
      const put = await this.puts.do({ id, workflow, version, request });
      return { ...put, answer: put.asked ? await this.answerTo(id, alarm) : undefined };
    } finally {
      this.forget(id);
      // Workers delete it once it has expired, if this fails.
      void this.withdrawals.do(id).catch(() => undefined);
    }
  }

  private async put(requests: GivenRequest[]): Promise<PutRequest[]> {
    const put = await putCodeRequests(this.db, requests, this.longestMs);
    if (put.some(({ asked }) => asked)) await noteCodeRequest(this.db);
    return put;
  }

  private async note(ids: string[]): Promise<undefined[]> {
    await noteCodeRequest(this.db);
    return ids.map(() => undefined);
  }

  private async withdraw(ids: string[]): Promise<undefined[]> {
    await withdrawCodeRequests(this.db, ids);
    return ids.map(() => undefined);
  }

  private async answerTo(id: string, alarm: Alarm): Promise<string | undefined> {
    for (const until = performance.now() + this.longestMs; ; ) {
      const leftMs = until - performance.now();
      await alarm.wait(Math.min(LOOK_MS, leftMs));
      const answer = await this.reads.do(id);
      if (answer !== undefined) return openedAnswer(id, answer);
      if (leftMs <= 0) return undefined;
      this.notes.do(id).catch(() => undefined);
    }
  }

  /** Listens before the request is written, so that no answer falls between the two. */
  private await(id: string): Alarm {
    const ringAll = () => {
      for (const waiting of this.waiting.values()) waiting.ring();
    };
    this.unlisten ??= this.feed.listen({
      by: null,
      onChange: () => undefined,
      onCodeAnswer: (answered) => this.waiting.get(answered)?.ring(),
      onResync: ringAll,
      onClose: ringAll,
    });
    const alarm = new Alarm();
    this.waiting.set(id, alarm);
    return alarm;
  }

  private forget(id: string): void {
    this.waiting.delete(id);
    if (this.waiting.size > 0) return;
    this.unlisten?.();
    this.unlisten = undefined;
  }
}

function* portionsOf(asked: readonly StartAsked[]): Iterable<StartAsked[]> {
  let some: StartAsked[] = [];
  let characters = 0;
  for (const start of asked) {
    some.push(start);
    characters += start.input.length;
    if (some.length < STARTS_AT_ONCE && characters < CHARACTERS_AT_ONCE) continue;
    yield some;
    some = [];
    characters = 0;
  }
  if (some.length > 0) yield some;
}

const noWorker = (workflow: string, version?: number) =>
  new HandrailError(
    "unavailable",
    `No live worker has ${version === undefined ? "" : `version ${version} of `}the workflow "${workflow}", and only its code can check the input: nothing was started. Start a worker that has it, then try again.`,
    { workflow },
  );

const noAnswer = (workflow: string, ms: number) =>
  new HandrailError(
    "unavailable",
    `No worker with the workflow "${workflow}" has answered within ${ms / 1_000} s: nothing was started. Check that a worker which has it is running and not overloaded, then try again.`,
    { workflow },
  );
