import { expect, it } from "vitest";
import { nameFingerprint, nameProblem } from "./person-name";

it.each([
  "vic\u200b",
  "vic\u200d",
  "\u202Eciv",
  "v\u00adic",
  "vic\ufe0f",
  "vic\u3164",
  "vic\u2800",
  "vic\u0000",
  "vic\ue000",
  "vic\u2028",
  "vіc",
  "αda",
  "Системa",
  "system",
  "SYSTEM",
  "ѕуѕтем",
  "syst\u00e9m",
  "Operator",
  "0perator",
  "bootstrap token",
  "bootstrap  token",
  "ｎｏｂｏｄｙ",
  "set-up",
])("%j is not a name", (name) => {
  expect(nameProblem(name)).toMatch(/\.$/);
});

it.each([
  "Ada Lovelace",
  "ada@example.com",
  "O'Brien-Müller",
  "Łukasz",
  "Анна Каренина",
  "Ελένη",
  "山田太郎 Taro",
  "김민준",
  "नरेन्द्र",
  "محمد",
  "operations",
  "systems engineer",
  '<img src=x onerror="x">',
])("%j is a name", (name) => {
  expect(nameProblem(name)).toBeNull();
});

it.each([
  ["vic", "VIC"],
  ["сора", "copa"],
  ["paypal", "paypa1"],
  ["bob", "b0b"],
  ["renée", "renee"],
  ["ada  l", "ada l"],
])("%j looks like %j", (one, other) => {
  expect(nameFingerprint(one)).toBe(nameFingerprint(other));
});
