import { type Command, Option } from "commander";
import { jsonText } from "../../output/plain";
import { withSession } from "../../session/act";

interface Asked {
  step?: string;
  part: "input" | "output";
}

export function addLoadValue(runs: Command): void {
  runs
    .command("value <run>")
    .description("a value over 1 MiB, from the blob store: of a step, or of the run")
    .option("--step <name>", "the output of this step")
    .addOption(new Option("--part <part>", "of the run").choices(["input", "output"]).default("output"))
    .action(
      withSession(async (session, runId: string, { step, part }: Asked) => {
        const which = step === undefined ? { part } : { part: "step" as const, step };
        const found = await session.client.read("/v1/runs/{runId}/value", { runId, ...which });
        return session.screen.answer(found, ({ value }) => jsonText(value));
      }),
    );
}
