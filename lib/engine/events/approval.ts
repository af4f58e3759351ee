import type { Duration } from "../duration";

export interface ApprovalOptions<Choice extends string> {
  /** The question, understandable without knowing the code. 2,000 characters at most. */
  question: string;
  /** Default `["approve", "reject"]`. 1 to 10, of 60 characters at most. */
  choices?: readonly Choice[];
  /** Data that the person needs to decide. */
  data?: unknown;
  /** Longest wait, from its first pass by the database's clock. Default: none. */
  timeout?: Duration;
  /** The choice that applies on expiry. Without it, the step fails with `wait_timed_out`. */
  default?: NoInfer<Choice>;
}

/** The person's answer, or the default. */
export interface Answer<Choice extends string = string> {
  choice: Choice;
  /** Null if the wait expired without an answer. */
  by: string | null;
  note: string | null;
  at: Date;
}

export const DEFAULT_CHOICES = ["approve", "reject"] as const;

/** An answer is an event sent to the run, under a reserved name; each generation asks again. */
export const approvalEvent = (step: string, generation: number): string => `$approval:${generation}:${step}`;

/** Of all events of this name, only the first counts. */
export const ANSWER_ID = "answer";
