import { DELIVERY_POINTS } from "../engine/notices/delivery";
import { ITEM_POINTS } from "../engine/operations/operation";
import { PROBE_POINTS } from "../engine/problems/probe";

/** Every boundary at which a process may die. Tests enumerate this list, so a new boundary cannot be forgotten. */
export const FAULT_POINTS = [
  "claim:before",
  "claim:after",
  "queue:before-take",
  "queue:after-take",
  "queue:before-commit",
  "step:before-start-mark",
  "step:after-start-mark",
  "step:before-body",
  "step:after-body",
  "flush:before",
  "flush:after",
  "blob:announced",
  "blob:put",
  "blob:before-delete",
  "blob:after-delete",
  "transaction:before-checkpoint",
  "transaction:before-commit",
  "transaction:after-commit",
  "permit:before-take",
  "permit:after-take",
  "permit:before-call",
  "permit:after-call",
  "events:before-commit",
  "events:after-commit",
  "run:before-suspend",
  "run:before-end",
  "run:after-end",
  "version:before-change",
  "version:after-change",
  "drift:before-note",
  "drift:after-note",
  "compensation:before-start-mark",
  "compensation:before-body",
  "compensation:after-body",
  "compensation:after-record",
  "wake:before",
  "wake:after",
  "takeover:before",
  "takeover:after",
  "expire:before",
  "expire:after",
  "schedule:before-fire",
  "schedule:before-commit",
  "schedule:after-commit",
  "deploy:before-commit",
  "deploy:after-commit",
  "retention:before-delete",
  "retention:before-commit",
  "retention:after-commit",
  "problems:before-fold",
  "problems:before-commit",
  "problems:after-commit",
  "rollups:before-fold",
  "rollups:before-commit",
  "rollups:after-commit",
  "logs:before-commit",
  "logs:after-commit",
  "notices:before-commit",
  "notices:after-commit",
  "alerts:before-write",
  "alerts:before-commit",
  "alerts:after-commit",
  "code:before-answer",
  "code:after-answer",
  ...DELIVERY_POINTS,
  ...ITEM_POINTS,
  ...PROBE_POINTS,
] as const;
export type FaultPoint = (typeof FAULT_POINTS)[number];

/** `detail` distinguishes passages of a point, such as by the name of the step. */
type FaultHandler = (point: FaultPoint, detail: string) => void | Promise<void>;

let handler: FaultHandler | undefined;

/** For tests only: the action at fault points. None until this is called. */
export function setFaultHandler(given: FaultHandler | undefined): void {
  handler = given;
}

export function faultPoint(point: FaultPoint, detail = ""): void | Promise<void> {
  return handler?.(point, detail);
}
