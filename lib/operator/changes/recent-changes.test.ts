import { expect, it } from "vitest";
import { KEPT_MS, RecentChanges } from "./recent-changes";

function atAClock() {
  const clock = { now: 0 };
  const recent = new RecentChanges(() => clock.now);
  recent.begin();
  clock.now += KEPT_MS;
  return { clock, recent, changed: (...runIds: string[]) => recent.add({ runIds, many: false }) };
}

it("keeps each run's last change for ten seconds", () => {
  const { clock, recent, changed } = atAClock();
  changed("a");
  clock.now += 4_000;
  changed("b");
  clock.now += 4_000;
  changed("a");
  clock.now += 4_000;
  expect(recent.all()).toMatchObject({ runIds: ["b", "a"], many: false });
  clock.now += 3_000;
  expect(recent.all()).toMatchObject({ runIds: ["a"], many: false });
  clock.now += 10_000;
  expect(recent.all()).toMatchObject({ runIds: [], many: false });
});

it("does not know what changed before it began", () => {
  const { clock, recent, changed } = atAClock();
  recent.begin();
  changed("a");
  clock.now += KEPT_MS - 1;
  expect(recent.all()).toBeUndefined();
  clock.now += 1;
  expect(recent.all()).toBeDefined();
});

it("names no more runs than a note, and says for as long that there were more", () => {
  const { clock, recent, changed } = atAClock();
  for (let run = 0; run < 101; run++) changed(`run-${run}`);
  clock.now += 5_000;
  changed("late");
  expect(recent.all()).toMatchObject({ runIds: ["late"], many: true });
  clock.now += 6_000;
  expect(recent.all()).toMatchObject({ runIds: ["late"], many: false });
});
