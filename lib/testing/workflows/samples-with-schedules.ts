/** The workflows of a child worker in crash tests: all of this app's own worker. */
export { workflows } from "../../../workflows/index";
export { schedules } from "../../../workflows/schedules";
