import type { Session } from "./session";
import { UsageError } from "./stops";

/** Why an action is taken, for the audit log: as given, or asked for. @throws UsageError where nobody can be asked */
export async function reasonFor({ prompts, screen }: Session, given: string | undefined): Promise<string> {
  if (given !== undefined) return given;
  if (!prompts.possible || screen.json) throw new UsageError("Give a --reason: it is saved to the audit log.");
  const reason = await prompts.ask("Reason (saved to the audit log): ");
  if (reason.trim() === "") throw new UsageError("Nothing was changed: an action needs a reason.");
  return reason;
}
