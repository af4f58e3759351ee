import type { Client } from "pg";

/** A statement as it was sent. */
export interface Sent {
  /** Undefined for a statement that is planned each time, for its values. */
  name?: string | undefined;
  text: string;
  values: unknown[];
}

/** A node of a plan, as `explain (analyze, format json)` writes it. */
interface Node {
  "Node Type": string;
  Schema?: string;
  "Relation Name"?: string;
  "Index Name"?: string;
  "Actual Rows": number;
  "Actual Loops": number;
  "Rows Removed by Filter"?: number;
  "Rows Removed by Index Recheck"?: number;
  Plans?: Node[];
}

/** What a node of a plan has read of a table. */
export interface Scan {
  table: string;
  /** Not by an index that leads to some of its rows. */
  whole: boolean;
  /** Rows looked at in all, those that did not fit included. */
  rows: number;
  /** The same, each time: of a whole table its size. */
  rowsEach: number;
}

/** `generic`: one plan for all values; `custom`: for the given values. A named statement may get either. */
export type Mode = "force_generic_plan" | "force_custom_plan";

/** Makes every statement of this session report its plan as it is executed. */
export async function explainAll(client: Client): Promise<void> {
  await client.query("load 'auto_explain'");
  for (const setting of [
    "auto_explain.log_min_duration = 0",
    "auto_explain.log_analyze = on",
    "auto_explain.log_timing = off",
    "auto_explain.log_format = json",
    "auto_explain.log_level = notice",
  ])
    await client.query(`set ${setting}`);
}

/** Executes the statement and returns the scans of its plan, and the plan as text. */
export async function scansOf(
  client: Client,
  { text, values }: Sent,
  mode: Mode,
): Promise<{ scans: Scan[]; plan: string }> {
  await client.query(`set plan_cache_mode = ${mode}`);
  const plans: string[] = [];
  const hear = ({ message = "" }: { message?: string | undefined }) => {
    const at = message.indexOf("plan:");
    if (at >= 0) plans.push(message.slice(at + "plan:".length));
  };
  client.on("notice", hear);
  await client.query({ text, values });
  client.off("notice", hear);
  const scans = plans.flatMap((plan) => nodesOf((JSON.parse(plan) as { Plan: Node }).Plan).flatMap(scanOf));
  return { scans, plan: plans.join("\n") };
}

const nodesOf = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

function scanOf(node: Node): Scan[] {
  const table = node["Relation Name"];
  if (table === undefined || node["Node Type"] === "ModifyTable") return [];
  const each =
    node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0) + (node["Rows Removed by Index Recheck"] ?? 0);
  return [
    {
      table,
      whole: /^(Parallel )?Seq Scan$/.test(node["Node Type"]),
      rows: Math.round(each * node["Actual Loops"]),
      rowsEach: each,
    },
  ];
}
