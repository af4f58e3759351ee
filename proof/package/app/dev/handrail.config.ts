import { defineConfig } from "handrail/config";
import { counted } from "./counted";

export default defineConfig({ workflows: [counted] });
