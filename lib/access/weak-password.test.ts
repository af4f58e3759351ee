import { expect, it } from "vitest";
import { weaknessOf } from "./weak-password";

it.each([
  "short",
  "aaaaaaaaaaaaaaaa",
  "abcabcabcabc",
  "Summer24Summer24",
  "123456789012",
  "098765432109",
  "abcdefghijkl",
  "zyxwvutsrqpo",
  "qwertyuiopasdf",
  "password1234",
  "Password2026!",
  "p4ssw0rd!!!!!!",
  "1234password1234",
  "P@ssw0rd20262026",
  "1qaz2wsx3edc",
  "administrator",
  "Administrator1!",
  "changeme-2026-11",
  "ada lovelace000",
  "adalovelace2026",
  "ad4l0velace#2026",
  "ＰＡＳＳＷＯＲＤ１２３４",
])("%j would be guessed soon", (password) => {
  expect(weaknessOf("Ada Lovelace", password)).toMatch(/\.$/);
});

it.each([
  "correct horse battery",
  "another good password",
  "a password at rest 7",
  "Xq7-vb2-kk9-rt5",
  "monkey wrench on a train",
  "日本の山は高くて美しいです",
  "lovely adapter 4711",
])("%j is taken", (password) => {
  expect(weaknessOf("Ada Lovelace", password)).toBeNull();
});
