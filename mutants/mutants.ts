import { acts } from "./breakages/acts";
import { endings } from "./breakages/endings";
import { outcomes } from "./breakages/outcomes";
import { ownership } from "./breakages/ownership";
import { queues } from "./breakages/queues";
import type { Mutant } from "./mutant";

export const mutants: Mutant[] = [...ownership, ...outcomes, ...endings, ...acts, ...queues];
