import { Option } from "commander";

export const CONFIG_OPTION = () =>
  new Option("--config <file>", "default: handrail.config.ts of this folder or its src, or .mts, .js, .mjs");
