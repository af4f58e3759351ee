import type { Run } from "@/lib/api/contract/run";

interface Where {
  step: string;
  /** Null: the step as a whole. */
  attempt: number | null;
  /** Something that happened in it. */
  at: string;
}

/** The address of an attempt: in the generation of the step's record in which it was made last before that instant. */
export function attemptHref({ id, steps }: Pick<Run, "id" | "steps">, { step, attempt, at }: Where): string {
  const url = new URLSearchParams({ step });
  if (attempt !== null) url.set("attempt", String(attempt));
  const made = steps
    .filter(({ name }) => name === step)
    .flatMap(({ attempts, generation, supersededBy }) =>
      attempts
        .filter(({ number, startedAt }) => number === attempt && Date.parse(startedAt) <= Date.parse(at))
        .map(({ startedAt }) => ({ startedAt, generation, supersededBy })),
    )
    .sort((a, b) => b.startedAt.localeCompare(a.startedAt))[0];
  if (made && made.supersededBy !== null) url.set("generation", String(made.generation));
  return `/runs/${id}?${url}`;
}
