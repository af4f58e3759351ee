import type { Session } from "./session";
import { UsageError } from "./stops";

/**
 * Why an action is taken, for the audit log: as given, or asked for.
 * @param option what the command calls it
 * @throws UsageError where nobody can be asked
 */
export async function reasonFor(
  { prompts, screen }: Session,
  given: string | undefined,
  option: "reason" | "note" = "reason",
): Promise<string> {
  if (given !== undefined) return given;
  if (!prompts.possible || screen.json) throw new UsageError(`Give a --${option}: it is saved to the audit log.`);
  const reason = await prompts.ask(`${option === "note" ? "Note" : "Reason"} (saved to the audit log): `);
  if (reason.trim() === "") throw new UsageError(`Nothing was changed: an action needs a ${option}.`);
  return reason;
}
