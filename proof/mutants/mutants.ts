import { acts } from "./breakages/acts";
import { authoring } from "./breakages/authoring";
import { blobs } from "./breakages/blobs";
import { children } from "./breakages/children";
import { control } from "./breakages/control";
import { endings } from "./breakages/endings";
import { events } from "./breakages/events";
import { fleet } from "./breakages/fleet";
import { holds } from "./breakages/holds";
import { launcher } from "./breakages/launcher";
import { lostRuns } from "./breakages/lost-runs";
import { maps } from "./breakages/maps";
import { notes } from "./breakages/notes";
import { outcomes } from "./breakages/outcomes";
import { ownership } from "./breakages/ownership";
import { queues } from "./breakages/queues";
import { schedules } from "./breakages/schedules";
import type { Mutant } from "./mutant";

export const mutants: Mutant[] = [
  ...ownership,
  ...lostRuns,
  ...outcomes,
  ...endings,
  ...acts,
  ...queues,
  ...events,
  ...children,
  ...schedules,
  ...control,
  ...holds,
  ...notes,
  ...launcher,
  ...authoring,
  ...blobs,
  ...maps,
  ...fleet,
];
