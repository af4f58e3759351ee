import { markedClass } from "../copies";

/**
 * Throw it from a body whose effect may have happened without a response: a connection that broke after the request was
 * sent, an unreadable response. The attempt is then recorded as *unknown*, never as a plain failure.
 */
export class OutcomeUnknownError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "OutcomeUnknownError";
  }
}

export const isOutcomeUnknown = markedClass(OutcomeUnknownError, "OutcomeUnknownError");
