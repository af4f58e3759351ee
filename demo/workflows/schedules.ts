import { defineSchedule, type Schedule } from "../../lib/engine/schedules/schedule";
import { userSync } from "./user-sync/user-sync";

/** Every schedule that this app's workers fire. */
export const schedules: Schedule[] = [
  defineSchedule({
    name: "nightly-user-sync",
    title: "Nightly user sync",
    workflow: userSync,
    cron: "0 3 * * *",
    timeZone: "Europe/Berlin",
    input: {},
    overlap: "skip",
    missed: "last",
  }),
];
