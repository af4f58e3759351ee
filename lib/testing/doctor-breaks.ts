import { BREAKS_OF_ACTS } from "./breaks/acts";
import { BREAKS_BEHIND_RUNS } from "./breaks/behind-runs";
import type { Breaks } from "./breaks/breaks";
import { BREAKS_OF_RUNS } from "./breaks/runs";

/** For every rule of the doctor. */
export const BREAKS: Breaks = { ...BREAKS_OF_RUNS, ...BREAKS_OF_ACTS, ...BREAKS_BEHIND_RUNS };
