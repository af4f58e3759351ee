import { expect, it } from "vitest";
import { aStepRecord } from "../../testing/rows/claims";
import type { Db } from "../db";
import { recordStepInside } from "./record-step";

const given = { runId: "0197f3a0-0000-7000-8000-000000000000", epoch: 1, step: aStepRecord() };

/** PostgreSQL says it in the language of its `lc_messages`, with that one's quotes. */
it.each([
  ["English", (text: string) => `invalid input syntax for type integer: "${text}"`],
  ["German", (text: string) => `ungültige Eingabesyntax für Typ integer: »${text}«`],
  ["French", (text: string) => `syntaxe en entrée invalide pour le type integer : « ${text} »`],
])("a checkpoint that is refused on a server that speaks %s is known by its reason", async (_, say) => {
  const refusedFor = (text: string) => {
    const queryAndCommit = () => Promise.reject(Object.assign(new Error(say(text)), { code: "22P02" }));
    return recordStepInside({ queryAndCommit } as unknown as Db, "7", given);
  };
  expect(await refusedFor("handrail: another transaction")).toMatchObject({ allowed: false });
  expect(await refusedFor("handrail: kept before")).toEqual({ allowed: true, written: false });
  expect(await refusedFor("handrail: the claim is lost")).toBeUndefined();
});
