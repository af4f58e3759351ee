import { setTimeout as delay, setImmediate as nextTurn } from "node:timers/promises";
import { HandrailError, isHandrailError } from "../../engine/errors";
import { answerOf, refusalOf } from "../../engine/workflows/code-request";
import type { Workflow } from "../../engine/workflows/workflow";
import { Gathered } from "../../store/database/gathered";
import type { Db } from "../../store/db";
import { noteCodeAnswers } from "../../store/workflows/code-notes";
import {
  answerCodeRequests,
  type CodeRequest,
  openedRequest,
  takeCodeRequests,
} from "../../store/workflows/code-requests";
import { faultPoint } from "../fault-points";
import { Alarm } from "../loop/alarm";

/** Those whose note was lost, or whose worker died with them, are rung for by glances: this is only for what nobody foresaw. */
const POLL_MS = 60_000;
/** A request that its worker has not answered by then is taken by another one. Far more than a schema takes. */
const SILENT_MS = 500;
/** At once; the rest is left to other workers. */
const MOST = 50;
/** No caller waits longer: a check that never ends keeps no place. */
const LONGEST_MS = 5_000;

interface CodeOptions {
  /** Every version that this worker has. */
  workflows: readonly Workflow[];
  onTrouble(error: unknown, what: string): void;
}

interface Answer {
  id: string;
  answer: string;
}

/**
 * Answers processes without this worker's code: checks inputs for them, and derives tags and keys. Writes no run. Every worker
 * does it, and one takes each request.
 */
export class CodeRequestLoop {
  private readonly alarm = new Alarm();
  private readonly answering = new Set<Promise<void>>();
  private readonly answers = new Gathered((given: Answer[]) => this.keep(given), MOST);
  private stopped = false;
  private loop: Promise<void> | undefined;

  constructor(
    private readonly db: Db,
    private readonly options: CodeOptions,
  ) {}

  start(): void {
    this.loop = this.run();
  }

  /** A request has come, perhaps. */
  ring(): void {
    this.alarm.ring();
  }

  /** Takes nothing more. Resolves when nothing is in progress. */
  async stop(): Promise<void> {
    this.stopped = true;
    this.alarm.ring();
    await this.loop;
    await Promise.all(this.answering);
  }

  private async run(): Promise<void> {
    while (!this.stopped) {
      const limit = MOST - this.answering.size;
      const taken = limit > 0 ? await this.take(limit) : [];
      for (const request of taken) this.begin(request);
      if (limit === 0 || taken.length < limit) await this.alarm.wait(POLL_MS);
    }
  }

  private take(limit: number): Promise<CodeRequest[]> {
    return takeCodeRequests(this.db, this.options.workflows, { silentMs: SILENT_MS, limit }).catch((error: unknown) => {
      this.options.onTrouble(error, "could not look for requests to this code; retrying");
      return [];
    });
  }

  private begin(request: CodeRequest): void {
    const answering = Promise.race([this.answer(request), delay(LONGEST_MS, undefined, { ref: false })])
      .catch((error: unknown) => this.options.onTrouble(error, "could not answer a request to this code"))
      .finally(() => {
        this.answering.delete(answering);
        this.alarm.ring();
      });
    this.answering.add(answering);
  }

  private async answer(request: CodeRequest): Promise<void> {
    const answer = await this.computed(request);
    await faultPoint("code:before-answer", request.workflow);
    await this.answers.do({ id: request.id, answer });
  }

  private async keep(answers: Answer[]): Promise<undefined[]> {
    await answerCodeRequests(this.db, answers);
    await faultPoint("code:after-answer");
    await noteCodeAnswers(
      this.db,
      answers.map(({ id }) => id),
    );
    return answers.map(() => undefined);
  }

  private async computed(request: CodeRequest): Promise<string> {
    const { workflow } = request;
    const ofName = this.options.workflows.filter(({ name }) => name === workflow);
    try {
      return await answerOf(ofName, workflow, openedRequest(request), async () => void (await nextTurn()));
    } catch (error) {
      if (isHandrailError(error)) return refusalOf(error);
      this.options.onTrouble(error, "this code threw when it was asked to prepare a start");
      return refusalOf(
        new HandrailError(
          "internal",
          `The code of workflow "${workflow}" threw while it prepared this. The log of its worker has the error.`,
        ),
      );
    }
  }
}
