import type { Recorded } from "../../engine/workflows/recorded";

type Step = <Output>(name: string, body: () => Output, options: { effect: "pure" }) => Promise<Output>;

/** By the steps of a context. */
export const recordedBy = (step: Step): Recorded => ({
  now: (name = "now") => step(name, () => new Date(), { effect: "pure" }),
  random: (name = "random") => step(name, () => Math.random(), { effect: "pure" }),
  uuid: (name = "uuid") => step(name, () => crypto.randomUUID(), { effect: "pure" }),
});
