/** The workflows of a child worker in crash tests: all of this app's own worker. */
export { workflows } from "../../../demo/workflows/index";
export { schedules } from "../../../demo/workflows/schedules";
