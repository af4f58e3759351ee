import common from "./common-passwords.json";

const MIN_PASSWORD = 12;
/** A password that is one of these runs, or a piece of it, in either direction, however often it goes round. */
const RUNS = ["1234567890", "abcdefghijklmnopqrstuvwxyz", "qwertyuiopasdfghjklzxcvbnm", "qwertzuiopasdfghjklyxcvbnm"];
/** How letters are often written in passwords. */
const LEET: Record<string, string> = {
  "0": "o",
  "1": "i",
  "3": "e",
  "4": "a",
  "5": "s",
  "7": "t",
  "@": "a",
  $: "s",
  "!": "i",
};

const whole = new Set(common.whole);
const words = new Set(common.words);

/** Why this password would be guessed soon, as a sentence; null of one that would not. */
export function weaknessOf(name: string, password: string): string | null {
  const given = password.normalize("NFKC").toLowerCase();
  if (password.length < MIN_PASSWORD) return `A password has ${MIN_PASSWORD} characters or more.`;
  if (new Set(given).size < 5 || /^(.{1,8})\1+$/su.test(given))
    return "This password is a few characters over and over.";
  if (RUNS.some((run) => isPieceOf(given, run))) return "This password is a row of keys or letters.";
  if (whole.has(given) || isCommonWord(given)) return "This password is one of the most common ones.";
  return holdsName(given, name.normalize("NFKC").toLowerCase()) ? "A password does not hold the name." : null;
}

function isPieceOf(password: string, run: string): boolean {
  const around = run.repeat(Math.ceil(password.length / run.length) + 1);
  return around.includes(password) || [...around].reverse().join("").includes(password);
}

/** A common word with nothing but digits and signs about it, however its letters are written. */
const isCommonWord = (given: string) => spellings(given).some((letters) => words.has(letters) || whole.has(letters));

const holdsName = (given: string, name: string) => {
  const letters = onlyLetters(name);
  return given.includes(name) || (letters.length >= 3 && spellings(given).some((one) => one.includes(letters)));
};

/** The letters alone: as written, and with digits and signs read as the letters they look like, but for those at the end. */
const spellings = (given: string): string[] => {
  const core = given.replace(/[^\p{L}]+$/u, "").replace(/^[^\p{L}]+/u, "");
  return [onlyLetters(given), onlyLetters([...core].map((sign) => LEET[sign] ?? sign).join(""))];
};

const onlyLetters = (text: string) => text.replaceAll(/[^\p{L}]/gu, "");
