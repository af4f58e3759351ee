import type { Stage } from "./stage";

/** What a client in any language does: each case is played against each driver. */
export type Case = readonly [title: string, play: (stage: Stage) => Promise<void>];
