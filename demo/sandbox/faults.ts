import { z } from "zod";
import type { Journal, JournalFolder } from "./journal";

export const SERVICES = ["payments", "mail", "blobs", "users", "webhooks"] as const;
export type Service = (typeof SERVICES)[number];

/** Long enough to be watched in the console, shorter than the time-outs of ordinary clients. */
const SLOW_MS = 3_000;
const SLOWEST_MS = 10 * 60_000;

const rate = z.number().min(0).max(1);
const reach = {
  /** Payments alone has parts; left out, the fault meets every request. */
  only: z.enum(["charges", "refunds"]).optional(),
  /** Meets this many requests, then switches itself to none. */
  times: z.int().positive().optional(),
};

export const faultSchema = z.discriminatedUnion("mode", [
  z.object({ mode: z.literal("none") }),
  z.object({ mode: z.literal("down"), ...reach }),
  z.object({ mode: z.literal("slow"), delayMs: z.int().min(0).max(SLOWEST_MS).default(SLOW_MS), ...reach }),
  z.object({ mode: z.literal("flaky"), rate: rate.default(0.5), ...reach }),
  z.object({ mode: z.literal("lose-answer"), rate: rate.default(1), ...reach }),
]);

export type Fault = z.infer<typeof faultSchema>;
type ActiveFault = Exclude<Fault, { mode: "none" }>;
export type Part = NonNullable<ActiveFault["only"]>;

const NONE: Fault = { mode: "none" };

interface Asked {
  part?: Part | undefined;
  /** A read loses nothing that matters: lose-answer affects writes only. */
  writes: boolean;
}

/** The fault that each service is set to. Part of the state: a restart does not reset it. */
export class Faults {
  readonly #current: Record<Service, Fault>;

  private constructor(
    current: Record<Service, Fault>,
    private readonly journal: Journal<{ service: Service; fault: Fault }>,
  ) {
    this.#current = current;
  }

  static async open(journals: JournalFolder): Promise<Faults> {
    const current: Record<Service, Fault> = { payments: NONE, mail: NONE, blobs: NONE, users: NONE, webhooks: NONE };
    const journal = await journals.open<{ service: Service; fault: Fault }>("faults", ({ service, fault }) => {
      current[service] = fault;
    });
    return new Faults(current, journal);
  }

  all(): Readonly<Record<Service, Fault>> {
    return this.#current;
  }

  of(service: Service): Fault {
    return this.#current[service];
  }

  async set(service: Service, fault: Fault): Promise<void> {
    this.journal.record({ service, fault });
    await this.journal.onDisk();
  }

  /** The fault of this one request: counted against `times`, and random where it has a rate. */
  async befalling(service: Service, asked: Asked): Promise<Fault> {
    const fault = this.#current[service];
    if (fault.mode === "none" || !reaches(fault, asked)) return NONE;
    if (fault.times !== undefined) await this.set(service, afterOneMore(fault, fault.times));
    return "rate" in fault && Math.random() >= fault.rate ? NONE : fault;
  }
}

function reaches(fault: ActiveFault, asked: Asked): boolean {
  if (fault.mode === "lose-answer" && !asked.writes) return false;
  return fault.only === undefined || fault.only === asked.part;
}

function afterOneMore(fault: ActiveFault, times: number): Fault {
  return times > 1 ? { ...fault, times: times - 1 } : NONE;
}
