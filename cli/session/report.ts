import { ApiError } from "../../lib/api/client/client";
import { isHandrailError } from "../../lib/engine/errors";
import { EXIT, type ExitCode } from "../exit-codes";
import type { Screen } from "../output/screen";
import { Interrupted, Refused, TimedOut, UsageError } from "./stops";

/** Writes why a command stopped, to stderr: one line for people, an error object with `--json`. */
export function report(error: unknown, screen: Screen): ExitCode {
  if (error instanceof Interrupted) return EXIT.interrupted;
  const { code, message, requestId, details } = inParts(error);
  if (screen.json) screen.errorObject({ error: { code, message, details, requestId } });
  else screen.complain(message, [code, requestId].filter(Boolean).join(" · "), problemsIn(details));
  return exitOf(error);
}

function exitOf(error: unknown): ExitCode {
  if (error instanceof UsageError) return EXIT.usage;
  if (error instanceof TimedOut) return EXIT.timedOut;
  return error instanceof ApiError && error.code === "unreachable" ? EXIT.noAnswer : EXIT.refused;
}

interface Parts {
  code: string;
  message: string;
  requestId: string | null;
  details: Record<string, unknown>;
}

function inParts(error: unknown): Parts {
  if (error instanceof ApiError) return error;
  const without = { requestId: null, details: {} };
  if (error instanceof UsageError) return { code: "wrong_usage", message: error.message, ...without };
  if (error instanceof TimedOut) return { code: "timed_out", message: error.message, ...without };
  if (error instanceof Refused) return { code: "refused", message: error.message, ...without };
  if (isHandrailError(error)) return { ...without, code: error.code, message: error.message, details: error.details };
  if (!(error instanceof Error)) return { code: "internal", message: String(error), ...without };
  // Theirs is a sentence that says what to do; of anything else, where it comes from matters.
  const isExpected = ["EnvError", "StartError"].includes(error.name);
  return {
    code: isExpected ? "not_ready" : "internal",
    message: (!isExpected && error.stack) || error.message,
    ...without,
  };
}

/** The fields that an input has wrong, as the API lists them. */
function problemsIn({ issues }: Record<string, unknown>): string[] {
  if (!Array.isArray(issues)) return [];
  return issues.flatMap((issue: unknown) => {
    const { path = [], message } = (issue ?? {}) as { path?: unknown; message?: unknown };
    const at = Array.isArray(path) ? path.join(".") : String(path);
    return typeof message === "string" ? [`${at === "" ? "" : `${at}: `}${message}`] : [];
  });
}
