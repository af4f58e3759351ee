import { isPayloadLocked } from "../../engine/privacy/sealed";
import type { Db } from "../../store/db";
import { type ChildOutcome, childOutcomes } from "../../store/runs/children";
import { ClaimLost } from "../claims/claim-lost";
import type { Pass } from "../passes/pass";

/** Outputs of up to 1 MiB are included. */
const PER_STATEMENT = 500;

/** Reads the ends of a run's children: all requests of one turn of the event loop in one statement. */
export class ChildOutcomes {
  private asked: {
    id: string;
    resolve: (outcome: ChildOutcome | undefined) => void;
    reject: (error: unknown) => void;
  }[] = [];

  constructor(
    private readonly pass: Pass,
    private readonly db: Db,
  ) {}

  /** Undefined while the child has not ended. */
  of(id: string): Promise<ChildOutcome | undefined> {
    return new Promise((resolve, reject) => {
      this.asked.push({ id, resolve, reject });
      if (this.asked.length === 1) setImmediate(() => void this.look(this.asked.splice(0)));
    });
  }

  /** Its end is recorded, but cannot be decrypted here: the author's code must not see that. */
  private locked(because: Error): ClaimLost {
    this.pass.rest.stop("locked", because);
    return new ClaimLost(this.pass.claim.run.id);
  }

  private async look(asked: typeof this.asked): Promise<void> {
    for (let first = 0; first < asked.length; first += PER_STATEMENT) {
      const some = asked.slice(first, first + PER_STATEMENT);
      try {
        const ids = some.map(({ id }) => id);
        const found = await this.pass.claim.retrying(() => childOutcomes(this.db, ids));
        const byId = new Map(found.map((outcome) => [outcome.id, outcome]));
        for (const { id, resolve } of some) resolve(byId.get(id));
      } catch (error) {
        for (const { reject } of some) reject(isPayloadLocked(error) ? this.locked(error) : error);
      }
    }
  }
}
