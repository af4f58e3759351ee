/** What code asks of its surroundings, each kept as a step with effect `"pure"`, so that the next claim gets the same. */
export interface Recorded {
  /** The instant of the first call, by the worker's clock. `name`: of its step, default `"now"`. */
  now(name?: string): Promise<Date>;
  /** From 0 up to and without 1, as `Math.random`. `name`: of its step, default `"random"`. */
  random(name?: string): Promise<number>;
  /** A random UUID, as `crypto.randomUUID`. `name`: of its step, default `"uuid"`. */
  uuid(name?: string): Promise<string>;
}
