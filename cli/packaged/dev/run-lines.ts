import { hasEnded } from "../../../lib/engine/runs/run";
import type { RunView } from "../../../lib/operator/runs/run-view";
import { type Paint, paintStatus } from "../../output/paint";
import { plain } from "../../output/plain";
import { stepKey, stepLine, stepState } from "../../output/step-line";
import { moment } from "../../output/times";
import { placeInApp } from "./place-in-app";

/** Enough for what a person follows in a terminal. */
const REMEMBERED = 1_000;

interface Seen {
  status: string;
  steps: Map<string, string>;
}

/** What is new of a run, as lines: its start, each change of a step, its end; an error with its line in the app. */
export class RunLines {
  private readonly seen = new Map<string, Seen>();

  /** @param since what is older is not printed */
  constructor(
    private readonly paint: Paint,
    private readonly folder: string,
    private readonly since: Date,
  ) {}

  of(run: RunView): string[] {
    const known = this.seen.get(run.id);
    const before = known ?? { status: "", steps: new Map<string, string>() };
    const steps = run.steps.filter((step) => before.steps.get(stepKey(step)) !== stepState(step) && this.isNew(step));
    this.remember(run);
    return [
      ...(known ? [] : [this.line(run, `${run.workflow} ${this.paint("gray", this.facts(run))}`)]),
      ...steps
        .sort((a, b) => (a.finishedAt ?? "9").localeCompare(b.finishedAt ?? "9"))
        .flatMap((step) => [this.line(run, stepLine(this.paint, step)), ...this.place(step.error?.stack)]),
      ...(run.status !== before.status && (hasEnded(run.status) || run.attention) ? this.ends(run) : []),
    ];
  }

  private ends(run: RunView): string[] {
    const line = this.line(run, `${run.workflow} is ${paintStatus(this.paint, run.status)}`);
    const isOfStep = run.steps.some(({ error }) => error?.message === run.error?.message);
    return isOfStep
      ? [line]
      : [line, ...(run.error ? [`    ${plain(run.error.message)}`] : []), ...this.place(run.error?.stack)];
  }

  private isNew({ startedAt, finishedAt }: { startedAt: string; finishedAt: string | null }): boolean {
    return new Date(finishedAt ?? startedAt) >= this.since;
  }

  private facts(run: RunView): string {
    const tags = Object.entries(run.tags).map(([name, value]) => `${name}:${value}`);
    return [...tags, run.id].map(plain).join(" ");
  }

  /** Ids of runs that start together differ at their ends. */
  private line(run: RunView, text: string): string {
    return `${this.paint("gray", moment(new Date().toISOString()))}  ${this.paint("gray", run.id.slice(-6))}  ${text}`;
  }

  private place(stack: string | undefined): string[] {
    const place = stack === undefined ? null : placeInApp(stack, this.folder);
    return place === null
      ? []
      : [`    ${this.paint("red", place.where)}  ${this.paint("gray", plain(place.code))}`.trimEnd()];
  }

  private remember(run: RunView): void {
    this.seen.delete(run.id);
    this.seen.set(run.id, {
      status: run.status,
      steps: new Map(run.steps.map((step) => [stepKey(step), stepState(step)])),
    });
    const [oldest] = this.seen.keys();
    if (this.seen.size > REMEMBERED && oldest !== undefined) this.seen.delete(oldest);
  }
}
