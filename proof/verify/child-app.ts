import { workflows as samples } from "../../demo/workflows/index";
import { demoServicesOn } from "./demo-world";

/* What a child runs: the samples, on the outside that its database keeps. */
export const workflows = samples;
export const servicesOn = demoServicesOn;
