/** What `import … from "handrail/config"` gives, for handrail.config.ts. */
export { defineConfig, type HandrailConfig } from "../app";
export { defineSchedule, type Schedule } from "../engine/schedules/schedule";
