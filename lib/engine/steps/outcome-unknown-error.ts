/**
 * Throw it from a body whose effect may have happened although no answer came: a connection that broke after the
 * request was sent, an answer that could not be read. The attempt is then kept as *unknown*, never as a plain failure.
 */
export class OutcomeUnknownError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "OutcomeUnknownError";
  }
}
