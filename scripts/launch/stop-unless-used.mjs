import { register } from "tsx/esm/api";

/** Loaded only where an embedded database is to be stopped: until then the guard costs next to nothing. */
register();
export const { stopUnlessUsed } = await import("../postgres/embedded.ts");
