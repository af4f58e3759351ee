/** The run belongs to somebody else by now. Control flow, never an outcome: whoever meets it writes nothing more. */
export class ClaimLost extends Error {
  constructor(runId: string) {
    super(`The claim on run ${runId} is gone.`);
    this.name = "ClaimLost";
  }
}
