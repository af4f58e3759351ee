/** What `import … from "handrail/config"` gives, for handrail.config.ts. */
export { defineConfig, type HandrailConfig } from "../app";
export { type AlertOptions, type AlertRule, defineAlerts } from "../engine/alerts/alert-rule";
export { defineSchedule, type Schedule } from "../engine/schedules/schedule";
