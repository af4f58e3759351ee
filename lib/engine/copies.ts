/*
 * A package with workflows may bring its own copy of Handrail, whose classes are others than the worker's. What decides about a step's
 * outcome is known by a mark that all copies share.
 */

/** Marks the class, and its subclasses. Returns whether something thrown is of it, or of a copy of it. */
export function markedClass<Of extends Error>(known: { prototype: Of }, name: string) {
  const mark = Symbol.for(`handrail.${name}`);
  Object.defineProperty(known.prototype, mark, { value: true });
  return (thrown: unknown): thrown is Of => typeof thrown === "object" && thrown !== null && mark in thrown;
}
