import type { Openness } from "../runs/operator-acts";

/** What a person may do to a schedule. The server enforces these rules, the button explains with them. */
export const SCHEDULE_ACTS = ["fire", "backfill", "pause", "resume", "edit", "reset", "remove"] as const;
export type ScheduleAct = (typeof SCHEDULE_ACTS)[number];

interface ScheduleFacts {
  paused: boolean;
  overridden: boolean;
  /** Made at run time, and not defined by code. */
  atRunTime: boolean;
}

const RULES: Record<ScheduleAct, (schedule: ScheduleFacts) => string | null> = {
  fire: () => null,
  backfill: () => null,
  pause: ({ paused }) => (paused ? "The schedule is already paused." : null),
  resume: ({ paused }) => (paused ? null : "The schedule is not paused."),
  edit: () => null,
  reset: ({ overridden }) => (overridden ? null : "The schedule was not edited."),
  remove: ({ atRunTime }) => (atRunTime ? null : "The code defines this schedule: remove it there, or pause it."),
};

export function mayDo(act: ScheduleAct, schedule: ScheduleFacts): Openness {
  const because = RULES[act](schedule);
  return because === null ? { open: true } : { open: false, because };
}

/** Every action with its openness, for the page and for programs. */
export const scheduleActStates = (schedule: ScheduleFacts) =>
  SCHEDULE_ACTS.map((act) => ({ act, open: RULES[act](schedule) === null, because: RULES[act](schedule) }));
