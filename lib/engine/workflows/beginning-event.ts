import type { StandardSchemaV1 } from "@standard-schema/spec";
import { checkEventName, type EventDefinition, nameOf } from "../events/event";
import { type EventFilter, planFilter } from "../events/event-filter";
import { fieldsOf } from "./payload-paths";

/** An event that starts runs if its payload, which is their input, fits a filter. */
export interface BeginningEvent<Input = unknown> {
  event: string | EventDefinition;
  /** As of `ctx.waitForEvent`, on the payload as it was sent. Default: every event of this name. */
  where?: EventFilter<Input>;
}

type AnyBeginningEvent = Pick<BeginningEvent, "event"> & { where?: unknown };

interface Beginning {
  on: string | null;
  filter: string | null;
  definition: EventDefinition | undefined;
}

/** @throws HandrailError `invalid_workflow` for an invalid name or filter */
export function beginningOf(
  workflow: string,
  { on, input }: { on?: string | EventDefinition | AnyBeginningEvent; input: StandardSchemaV1 },
): Beginning {
  if (on === undefined) return { on: null, filter: null, definition: undefined };
  const { event, where }: AnyBeginningEvent = typeof on === "object" && "event" in on ? on : { event: on };
  const name = nameOf(event);
  checkEventName(name, "invalid_workflow");
  const definition = typeof event === "object" ? event : undefined;
  return {
    on: name,
    filter:
      where === undefined ? null : planFilter(where, `workflow "${workflow}"`, fieldsOf(definition?.payload ?? input)),
    definition,
  };
}
