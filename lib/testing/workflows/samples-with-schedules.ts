/** What a child worker of crash tests loads: all that this app's own worker does. */
export { workflows } from "../../../workflows/index";
export { schedules } from "../../../workflows/schedules";
