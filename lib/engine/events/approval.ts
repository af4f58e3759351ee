import type { Duration } from "../duration";

export interface ApprovalOptions<Choice extends string> {
  /** What a person is asked, in words for somebody who does not know the code. 2,000 characters at most. */
  question: string;
  /** Default `["approve", "reject"]`. 1 to 10, of 60 characters at most. */
  choices?: readonly Choice[];
  /** What the person should see to decide. */
  data?: unknown;
  /** Longest wait, counted from its first pass by the database's clock. Default: none. */
  timeout?: Duration;
  /** Counts as chosen when the time is up. Without it, the step fails with `wait_timed_out`. */
  default?: NoInfer<Choice>;
}

/** What a person said, or what counts as said. */
export interface Answer<Choice extends string = string> {
  choice: Choice;
  /** Null when nobody answered in time. */
  by: string | null;
  note: string | null;
  at: Date;
}

export const DEFAULT_CHOICES = ["approve", "reject"] as const;

/** An answer is an event to the run, under a name that no other event can have; each generation asks anew. */
export const approvalEvent = (step: string, generation: number): string => `$approval:${generation}:${step}`;

/** Of all events of this name, the first counts. */
export const ANSWER_ID = "answer";
