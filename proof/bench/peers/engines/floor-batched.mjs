import { openFloor } from "./floor.mjs";

export const open = (how) => openFloor(how, { room: 400, recorder: batched, kinds: ["steps"] });

/** What gathers while one statement commits goes with the next. */
function batched(write) {
  let waiting = [];
  let isWriting = false;
  const flush = async () => {
    isWriting = true;
    while (waiting.length > 0) {
      const taken = waiting;
      waiting = [];
      await write(taken.map(({ row }) => row));
      for (const { done } of taken) done();
    }
    isWriting = false;
  };
  return (row) =>
    new Promise((done) => {
      waiting.push({ row, done });
      if (!isWriting) void flush();
    });
}
