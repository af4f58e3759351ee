import type { Sight } from "../../lib/api/client/sight";
import { WAL_HEADER } from "../../lib/engine/wal-position";

/** A position that no log reaches: the primary answers. */
const BEYOND_EVERY_LOG = "FFFFFFFF/FFFFFFFF";

/** Of a program that lives for one command, and cannot know what the command before it has done. */
export const sightOfPrimary: Sight = {
  headers: () => ({ [WAL_HEADER]: BEYOND_EVERY_LOG }),
  note: () => undefined,
};
