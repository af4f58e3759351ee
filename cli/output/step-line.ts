import type { Step } from "../../lib/api/contract/run";
import { type Paint, paintStatus } from "./paint";
import { plain } from "./plain";
import { errorText } from "./run";
import { took } from "./times";

type Shown = Pick<Step, "name" | "status" | "attempt" | "reference" | "error" | "startedAt" | "finishedAt">;

/** A step is printed when its state changes, by its key. Repeated steps have a line in each repair generation. */
export const stepKey = ({ name, generation }: Pick<Step, "name" | "generation">) => `step ${generation} ${name}`;
export const stepState = ({ status, attempt }: Pick<Step, "status" | "attempt">) => `${status} ${attempt}`;

/** `charge-payment  failed  attempt 2 · 1 ms · Error: …` */
export function stepLine(paint: Paint, step: Shown): string {
  const facts = [
    ...(step.attempt > 1 ? [`attempt ${step.attempt}`] : []),
    ...(step.finishedAt !== null ? [took(step.startedAt, step.finishedAt)] : []),
    ...[plain(step.reference ?? ""), errorText(step.error)].filter(Boolean),
  ];
  return `${plain(step.name)}  ${paintStatus(paint, step.status)}  ${paint("gray", facts.join(" · "))}`.trimEnd();
}
