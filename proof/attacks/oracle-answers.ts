import { HIDDEN } from "../../lib/engine/privacy/hidden-text";
import { bearer } from "../../lib/testing/api/with-sign-in";
import type { Scene, World } from "./oracle-scene";

export interface Answer {
  status: number;
  text: string;
  world: World;
}

/** A program's requests, in one scene. */
export async function answerOf(
  scene: Scene,
  world: World,
  token: string,
  [method, path, body]: readonly [method: string, path: string, body?: unknown],
): Promise<Answer> {
  const response = await scene.send(method, path, {
    headers: bearer(token),
    ...(body !== undefined && { body }),
  });
  return { status: response.status, text: await response.text(), world };
}

/** What differs between two answers that are alike. */
const normalized = (text: string, { word }: World) =>
  text
    .replaceAll(new RegExp(word.text.replaceAll(".", "\\."), "gi"), "WORD")
    .replaceAll(encodeURIComponent(word.text), "WORD")
    .replaceAll(String(word.number), "NUMBER")
    .replaceAll(/vault-(guess|decoy)/g, "WORKFLOW")
    .replaceAll(/"behindMs":[\d.]+/g, '"behindMs":0')
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "ID")
    .replaceAll(/[0-9a-f]{64}/g, "HASH")
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "THEN")
    .replaceAll(/"(id|seq|workerId)":"?\d+"?/g, '"$1":0')
    .replaceAll(/"(nextCursor)":"[^"]+"/g, '"$1":"C"');

/** Where the answers to a guess and to a decoy differ; null if they are alike. */
export function difference(guess: Answer, decoy: Answer): string | null {
  const [one, other] = [guess, decoy].map(({ status, text, world }) => `${status} ${normalized(text, world)}`);
  return one === other ? null : at(one as string, other as string);
}

function at(one: string, other: string): string {
  const first = [...one].findIndex((letter, index) => letter !== other[index]);
  return `${one.slice(Math.max(0, first - 150), first + 80)} / ${other.slice(first, first + 80)}`;
}

/** How often the scene's secret word appears in an answer, and how many values are masked. */
export const seen = ({ status, text, world: { word } }: Answer) =>
  [
    status,
    text.toLowerCase().split(word.text).length,
    text.split(String(word.number)).length,
    text.split(HIDDEN).length,
    text.split('"masked"').length,
  ].join();
