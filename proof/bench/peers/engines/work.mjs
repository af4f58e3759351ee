/** What every engine is given to do. The bodies do nothing, or one statement, and say when they ran. */

/** By the machine's clock, which all processes here share; milliseconds. */
export const now = () => performance.timeOrigin + performance.now();

/** What a worker's parent asks about a run that it kills: when the code began, when the step of this number did, whether it waits there. */
export const watched = { step: -1, holds: false, begun: undefined, reached: undefined };

function body(n) {
  if (n !== watched.step) return now();
  watched.reached = now();
  return watched.holds ? new Promise(() => undefined) : watched.reached;
}

/** @param step runs one durable step of this name and returns what its body returned */
export async function steps(count, step) {
  watched.begun = now();
  const first = await step("step-0", () => body(0));
  let last = first;
  for (let n = 1; n < count; n++) last = await step(`step-${n}`, () => body(n));
  return { first, last };
}

const MOST = 1_000;
export const ACCOUNTS = `create table app_account (id int primary key, balance bigint not null default 0);
  insert into app_account (id) select generate_series(0, ${MOST - 1})`;
export const CREDIT = "update app_account set balance = balance + 1 where id = $1";

/** @param transaction runs one durable step of this name, which commits the credit to this account together with its checkpoint */
export async function credits(count, transaction) {
  const first = now();
  for (let n = 0; n < count; n++) await transaction(`step-${n}`, Math.floor(Math.random() * MOST));
  return { first, last: now() };
}

/** @param child starts a run of one step under this name, durably, and waits for its end */
export async function family(count, child) {
  const first = now();
  await Promise.all(Array.from({ length: count }, (_, n) => child(`child-${n}`)));
  return { first, last: now() };
}

/** Calls `each(0)` to `each(count - 1)`, so many at a time. */
export async function inFlight(limit, count, each) {
  let next = 0;
  const one = async () => {
    while (next < count) await each(next++);
  };
  await Promise.all(Array.from({ length: Math.min(limit, count) }, one));
}
