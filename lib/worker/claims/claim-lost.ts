/** The run has another owner now. Control flow, never an outcome: the code that catches it writes nothing more. */
export class ClaimLost extends Error {
  constructor(runId: string) {
    super(`The claim on run ${runId} is gone.`);
    this.name = "ClaimLost";
  }
}
