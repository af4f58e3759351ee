import { randomUUID } from "node:crypto";
import type { StandardSchemaV1 } from "@standard-schema/spec";
import { HandrailError } from "../../engine/errors";
import { type EventDefinition, nameOf } from "../../engine/events/event";
import { checkCellName, fleetIdOf, readFleetId } from "../../engine/fleet/fleet-id";
import { type Joining, type Placement, placementFor } from "../../engine/fleet/placement";
import type { PgTransaction } from "../../engine/workflows/step-options";
import type { TypedWorkflow, Workflow } from "../../engine/workflows/workflow";
import { subscribersOf } from "../../store/events/subscribers";
import { hasKey, placeKey } from "../../store/runs/place-key";
import type { Handrail } from "../create-handrail";
import type { RunHandle, SendHow, StartedRun, StartHow } from "../run-handle";
import { type FleetFilter, type FleetRuns, listOfCells } from "./list-of-cells";

/** What `cellOf` is asked about. */
export interface StartToPlace {
  /** The workflow's name. */
  workflow: string;
  /** As it was given to `start`. */
  input: unknown;
  idempotencyKey: string | undefined;
  tags: Readonly<Record<string, string>>;
  headers: Readonly<Record<string, string>>;
}

/**
 * A cell's name; `by`: the cell that the hash of this text chooses; or, while the keys of something move from one cell to
 * another, where it goes and where its keys were before.
 */
export type Placed<Cell extends string> = Cell | { by: string } | (Placement<Cell> & { by?: string });

export interface FleetConfig<Cell extends string, Tx> {
  /** Of each cell by its name, which ids of runs contain. A name is for ever. */
  cells: Readonly<Record<Cell, Handrail<Tx>>>;
  /**
   * Where a start goes: for one idempotency key always to the same place, whatever else the start has. Default: by its
   * idempotency key; without one, anywhere.
   */
  cellOf?: (start: StartToPlace) => Placed<NoInfer<Cell>>;
  /** Cells that were added to a running fleet, in their order. Default: none. */
  added?: Readonly<Partial<Record<NoInfer<Cell>, Joining>>>;
}

/** Handle of a run in one of the cells. */
export interface FleetRun<Output, Tx, Cell extends string> extends RunHandle<Output, Tx> {
  readonly cell: Cell;
}
export interface StartedFleetRun<Output, Tx, Cell extends string> extends StartedRun<Output, Tx> {
  readonly cell: Cell;
}

/** Several installations side by side, of which each start takes one. @throws HandrailError `invalid_request` */
export const createFleet = <Cell extends string, Tx = PgTransaction>(config: FleetConfig<Cell, Tx>): Fleet<Cell, Tx> =>
  new Fleet(config);

/** Made by `createFleet`. */
export class Fleet<Cell extends string, Tx> {
  private readonly founders: readonly Cell[];
  private readonly added: readonly (readonly [Cell, Joining])[];

  constructor(private readonly config: FleetConfig<Cell, Tx>) {
    const names = Object.keys(config.cells) as Cell[];
    names.forEach(checkCellName);
    this.added = Object.entries(config.added ?? {}) as [Cell, Joining][];
    for (const [name] of this.added) this.cell(name);
    this.founders = names.filter((name) => config.added?.[name] === undefined);
    if (this.founders.length > 0) return;
    throw new HandrailError("invalid_request", "A fleet has one cell at least that was not added to it.");
  }

  /** The names of all cells. */
  get names(): readonly Cell[] {
    return Object.keys(this.config.cells) as Cell[];
  }

  /** One cell, for its workers, schedules, transactions and migrations. @throws HandrailError `invalid_request` */
  cell(name: Cell): Handrail<Tx> {
    const cell = Object.hasOwn(this.config.cells, name) ? this.config.cells[name] : undefined;
    if (cell) return cell;
    throw new HandrailError("invalid_request", `This fleet has no cell "${name}": it has ${this.names.join(", ")}.`);
  }

  /**
   * Starts a run in the cell that `cellOf` names; or returns the one that the same idempotency key and input have
   * started there, or in a cell that had the key before. No other cell is asked, unless keys are moving.
   * @throws HandrailError as `Handrail.start` does; `invalid_request` for a transaction, which is of one cell alone
   */
  async start<Schema extends StandardSchemaV1, Output>(
    workflow: TypedWorkflow<Schema, Output>,
    input: StandardSchemaV1.InferInput<Schema>,
    how: StartHow<Tx> = {},
  ): Promise<StartedFleetRun<Output, Tx, Cell>> {
    if (how.tx !== undefined)
      throw new HandrailError(
        "invalid_request",
        "A transaction is of one cell's database: start in it with `fleet.cell(NAME).start(…, { tx })`.",
      );
    const { together, ...placement } = this.placementOf(workflow, input, how);
    const cell = await this.settle(workflow.name, placement, together);
    const cellOfKey = await this.settle(workflow.name, { ...placement, cell }, how.idempotencyKey);
    const started = await this.cell(cellOfKey).start(workflow, input, how);
    return { ...this.handleOf(cellOfKey, started), created: started.created };
  }

  /** A run by the id that this fleet gave it. @throws HandrailError `invalid_request` for another id */
  run<Output = unknown>(id: string, workflow?: TypedWorkflow<StandardSchemaV1, Output>): FleetRun<Output, Tx, Cell> {
    const { cell, runId } = this.read(id);
    return this.handleOf(cell, this.cell(cell).run(runId, workflow));
  }

  /**
   * The runs of all cells that fit a filter, newest first. A cell that does not answer within two seconds is named in
   * `missing`, and the runs of the others are there.
   */
  list(filter: FleetFilter = {}): Promise<FleetRuns<Cell>> {
    return listOfCells(this.config.cells, filter);
  }

  /**
   * Sends an event to a run, or to all that wait for a key, in whichever cell.
   * @throws HandrailError as `Handrail.send` does; `unavailable` if a cell did not take what others took: send it again
   * with the `id` of its details, which counts once in each; `invalid_request` for an event to neither, and for one to a
   * key that starts workflows
   */
  async send<Schema extends StandardSchemaV1>(
    event: string | EventDefinition<Schema>,
    payload: StandardSchemaV1.InferInput<Schema>,
    { runId, ...how }: SendHow<Tx>,
  ): Promise<{ id: string; created: boolean }> {
    if (how.tx !== undefined || (runId === undefined && how.key === undefined))
      throw new HandrailError(
        "invalid_request",
        "Name the run or the key that this event is for. One that starts workflows, or is sent in a transaction, belongs to one cell: `fleet.cell(NAME).send(…)`.",
      );
    if (runId !== undefined) {
      const to = this.read(runId);
      return this.cell(to.cell).send(event, payload, { ...how, runId: to.runId });
    }
    await this.refuseIfItStarts(nameOf(event));
    const id = how.id ?? randomUUID();
    const { names } = this;
    const sent = await Promise.allSettled(names.map((cell) => this.cell(cell).send(event, payload, { ...how, id })));
    const taken = sent.filter((one) => one.status === "fulfilled").map(({ value }) => value);
    const [refusal] = sent.filter((one) => one.status === "rejected").map(({ reason }) => reason as unknown);
    if (refusal === undefined) return { id, created: taken.some(({ created }) => created) };
    if (taken.length === 0) throw refusal;
    const missing = names.filter((_, index) => sent[index]?.status === "rejected");
    throw new HandrailError(
      "unavailable",
      `The event "${nameOf(event)}" did not arrive in ${missing.join(", ")}; the other cells have it. Send it again with the id ${id}.`,
      { id, missing },
      { cause: refusal },
    );
  }

  /** Each cell would start its workflows: an event's id counts within one database. */
  private async refuseIfItStarts(event: string): Promise<void> {
    if (this.names.length === 1) return;
    // A cell that does not answer does not take the event either, and is named for that.
    const asked = this.names.map(async (cell) => subscribersOf(await this.databaseOf(cell), event).catch(() => []));
    const [workflow] = (await Promise.all(asked)).flat();
    if (workflow === undefined) return;
    throw new HandrailError(
      "invalid_request",
      `The event "${event}" starts "${workflow}", once in each cell that has it. Send it in one: \`fleet.cell(NAME).send(…)\`.`,
    );
  }

  /** Stops the workers of all cells, and ends what waits. */
  async close(): Promise<void> {
    await Promise.all(this.names.map((name) => this.cell(name).close()));
  }

  private placementOf(
    workflow: Workflow,
    input: unknown,
    { idempotencyKey, debounce, tags = {}, headers = {} }: StartHow<Tx>,
  ): Placement<Cell> & { together: string | undefined } {
    const start = { workflow: workflow.name, input, idempotencyKey, tags, headers };
    if (!this.config.cellOf && (workflow.singleton || workflow.throttle))
      throw new HandrailError(
        "invalid_request",
        `"${workflow.name}" counts its starts by key, which each cell does for itself. Give the fleet a \`cellOf\` that sends a key to one cell, such as ({ input }) => ({ by: input.customer }).`,
      );
    const anywhere = { by: idempotencyKey ?? debounce?.key ?? randomUUID() };
    const placed = this.config.cellOf?.(start) ?? anywhere;
    if (typeof placed === "string") return { cell: placed, before: [], together: undefined };
    const placement = "cell" in placed ? placed : placementFor(placed.by, this.founders, this.added);
    // What a cell counts by key stays together also while keys move.
    const counts = workflow.singleton || workflow.throttle || debounce;
    return { ...placement, together: counts && placed.by !== undefined ? `by\n${placed.by}` : undefined };
  }

  /** The cell of a start, once it is certain that its key is nowhere else, now or later. */
  private async settle(workflow: string, { cell, before }: Placement<Cell>, key: string | undefined): Promise<Cell> {
    const [first, ...later] = before;
    if (first === undefined || key === undefined) return cell;
    let wanted = cell;
    for (const one of later.filter((one) => one !== cell))
      if (await hasKey(await this.databaseOf(one), { workflow, key })) wanted = one;
    const database = await this.databaseOf(first);
    return (await placeKey(database, { workflow, key, here: first, cell: wanted })) as Cell;
  }

  private async databaseOf(cell: Cell) {
    return (await this.cell(cell).serving()).db;
  }

  private read(id: string): { cell: Cell; runId: string } {
    const read = readFleetId(id);
    if (read) return read as { cell: Cell; runId: string };
    throw new HandrailError(
      "invalid_request",
      `${JSON.stringify(id)?.slice(0, 80)} is not the id of a run of a fleet, such as ${fleetIdOf(this.founders[0] as Cell, "0192f0c1-5a4e-7d3c-9b1a-2f6e8d7c4b3a")}.`,
    );
  }

  private handleOf<Output>(cell: Cell, run: RunHandle<Output, Tx>): FleetRun<Output, Tx, Cell> {
    return {
      ...run,
      id: fleetIdOf(cell, run.id),
      cell,
      status: async () => ({ ...(await run.status()), id: fleetIdOf(cell, run.id) }),
    };
  }
}
