import { defineConfig } from "handrail/config";
import { slow } from "~/slow";

export default defineConfig({ workflows: [slow] });
