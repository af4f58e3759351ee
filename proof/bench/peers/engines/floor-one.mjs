import { openFloor } from "./floor.mjs";

export const open = (how) =>
  openFloor(how, { room: 200, recorder: (write) => (row) => write([row]), kinds: ["steps", "credits"] });
