import type { Notifier } from "../../store/database/notifier";
import type { Db } from "../../store/db";
import type { Alarm } from "../loop/alarm";
import { Duties, type DutiesOptions } from "./duties";

/** The duties of a worker, which say what has changed and ring for what can be claimed. */
export const dutiesOf = (
  db: Db,
  of: Omit<DutiesOptions, "onChange" | "onEnd" | "onWork" | "onClaimable">,
  notifier: Notifier,
  alarm: Alarm,
): Duties =>
  new Duties(db, {
    ...of,
    onChange: (runIds) => notifier.change(runIds),
    onEnd: (runIds) => notifier.changeAtOnce(runIds),
    onWork: () => {
      notifier.work();
      alarm.ring();
    },
    onClaimable: () => alarm.ring(),
  });
