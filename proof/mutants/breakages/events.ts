import type { Mutant } from "../mutant";

const EVENTS = "lib/worker/waits/events.db.test.ts";
const EVENT_FILTERS = "lib/worker/waits/event-filters.db.test.ts";
const EVENTS_RACES = "lib/worker/waits/events-races.db.test.ts";
const MATCH_EVENTS = "lib/engine/events/match-events.test.ts";
const TAKE_EVENTS = "lib/store/events/take-events.db.test.ts";
const EVENTS_LOST_ANSWERS = "lib/worker/waits/events-lost-answers.db.test.ts";
const CHILDREN = "lib/worker/children/children.db.test.ts";
const ANSWER_APPROVAL = "lib/operator/actions/answer-approval.db.test.ts";
const SUBSCRIPTIONS = "lib/worker/waits/subscriptions.db.test.ts";

/** Events and questions: nothing lost, nothing taken twice, first come first served. */
export const events: Mutant[] = [
  {
    name: "wake-forgotten-by-another-wait",
    promise: "P8",
    breaks: "A branch that begins a wait forgets that something has come for another branch.",
    file: "lib/store/events/take-events.ts",
    find: "and (kind = 'child' or name <> all ($2::text[])))",
    replace: "and kind = 'child' and $2::text[] is not null)",
    killedBy: [EVENTS_RACES],
  },
  {
    name: "event-id-ignored",
    promise: "P8",
    breaks: "An event that is sent twice with its id counts twice.",
    file: "lib/store/events/send-event.ts",
    find: "const id = event.id ?? uuidv7();",
    replace: "const id = uuidv7();",
    killedBy: [EVENTS],
  },
  {
    name: "newest-event-first",
    promise: "P8",
    breaks: "A waiter takes the newest event of its run first.",
    file: "lib/store/events/take-events.ts",
    find: "where event.run_id = $1::uuid and event.name = given.event and event.taken_by is null\n          and handrail.event_fits(event.payload, given.filter)\n        order by event.seq limit",
    replace:
      "where event.run_id = $1::uuid and event.name = given.event and event.taken_by is null\n          and handrail.event_fits(event.payload, given.filter)\n        order by event.seq desc limit",
    killedBy: [EVENTS, EVENTS_RACES],
  },
  {
    name: "waiter-ignores-its-filter",
    promise: "P8",
    breaks: "A wait takes the first event of its key, whatever its filter says.",
    file: "lib/store/events/take-events.ts",
    find: 'ofKey("given.filter",',
    replace: 'ofKey("null",',
    killedBy: [EVENT_FILTERS],
  },
  {
    name: "old-filter-stays-on-record",
    promise: "P8",
    breaks: "Senders wake a run by the filter of the code that began the wait, and not by that of the code that waits.",
    file: "lib/store/events/take-events.ts",
    find: "event = excluded.event, key = excluded.key, filter = excluded.filter",
    replace: "event = excluded.event, key = excluded.key",
    killedBy: [EVENT_FILTERS],
  },
  {
    name: "waiter-jumps-the-queue",
    promise: "P8",
    breaks: "The first waiter that asks takes the event of a key, not the one that has waited longest.",
    file: "lib/engine/events/match-events.ts",
    find: "if (first !== undefined) left.add(first);",
    replace: "if (first !== undefined) left.delete(first);",
    killedBy: [MATCH_EVENTS],
  },
  {
    name: "event-for-two-branches",
    promise: "P8",
    breaks: "Two branches of a run take the same event.",
    file: "lib/engine/events/match-events.ts",
    find: "if (match.event !== null) taken.add(match.event);",
    replace: "",
    killedBy: [MATCH_EVENTS],
  },
  {
    name: "event-key-not-locked",
    promise: "P8",
    breaks: "A waiter looks without holding the key: an event that commits meanwhile is missed.",
    file: "lib/store/events/take-events.ts",
    find: "on conflict (name, key) do update set used_at = clock_timestamp()",
    replace: "on conflict (name, key) do nothing",
    killedBy: [EVENTS_RACES],
  },
  {
    name: "events-taken-unfenced",
    promise: "P5",
    breaks: "A worker that has lost the run takes its events.",
    file: "lib/store/events/take-events.ts",
    find: "select epoch = $2::bigint and worker_id is not null as holds",
    replace: "select $2::bigint > 0 and worker_id is not null as holds",
    killedBy: [EVENTS, EVENTS_RACES, TAKE_EVENTS],
  },
  {
    name: "timeout-before-event",
    promise: "P8",
    breaks: "A wait that expires leaves the event that is there.",
    file: "lib/worker/waits/answer-waits.ts",
    find: "if (event) {\n    state.sentIn",
    replace: "if (event && (standing.dueInMs ?? 1) > 0) {\n    state.sentIn",
    killedBy: [EVENTS, EVENTS_RACES],
  },
  {
    name: "wait-times-out-at-once",
    promise: "P7",
    breaks: "A wait is over when it is looked at for the second time.",
    file: "lib/worker/waits/answer-waits.ts",
    find: "if (dueInMs !== null && dueInMs <= 0)",
    replace: "if (dueInMs !== null)",
    killedBy: [EVENTS],
  },
  {
    name: "event-taken-beside-transaction",
    promise: "P8",
    breaks: "An event is taken although the outcome that says so rolls back.",
    file: "lib/worker/waits/answer-waits.ts",
    find: "await takeEvents(tx, id, matched)",
    replace: "await takeEvents(db, id, matched)",
    killedBy: [EVENTS_LOST_ANSWERS, EVENTS_RACES, EVENTS],
  },
  {
    name: "rest-forgets-what-came",
    promise: "P8",
    breaks: "A run goes to rest over an event that came meanwhile.",
    file: "lib/store/steps/record-statement.ts",
    find: "case when run.woken_at is not null then clock_timestamp() end",
    replace: "null::timestamptz",
    killedBy: [EVENTS_RACES, CHILDREN],
  },
  {
    name: "rerun-asks-for-another-event",
    promise: "P8",
    breaks: "A rerun does not get the event again that it had taken.",
    file: "lib/worker/waits/wait-plan.ts",
    find: "takesAgain: true,",
    replace: "takesAgain: false,",
    killedBy: [EVENTS],
  },
  {
    name: "answered-question-stays-answered",
    promise: "P8",
    breaks: "A question that is asked anew takes the answer of before.",
    file: "lib/worker/waits/wait-plan.ts",
    find: "event: (generation) => approvalEvent(name, generation),",
    replace: "event: () => approvalEvent(name, 1),",
    killedBy: [EVENTS, ANSWER_APPROVAL],
  },
  {
    name: "second-answer-accepted",
    promise: "P9",
    breaks: "A second answer is accepted, and changes nothing.",
    file: "lib/actions/answer.ts",
    find: "if (!created) throw await answeredBefore",
    replace: "if (!created) await answeredBefore",
    killedBy: [ANSWER_APPROVAL],
  },
  {
    name: "subscription-of-an-old-version",
    promise: "P8",
    breaks: "A worker of an older version decides what a workflow begins with.",
    file: "lib/store/events/subscriptions.ts",
    find: "where subscription.version <= excluded.version",
    replace: "where subscription.version > 0",
    killedBy: [SUBSCRIPTIONS],
  },
];
