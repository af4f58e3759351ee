/** Names that the audit uses for non-persons: no person may have one. */
const RESERVED = ["system", "operator", "nobody", "anybody", "set-up", "bootstrap token", "worker", "handrail"];

/** Alphabets with letters that look alike: a name may use only one of them. */
const ALIKE = [
  /\p{Script=Latin}/u,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Armenian}/u,
  /\p{Script=Cherokee}/u,
  /\p{Script=Coptic}/u,
  /\p{Script=Lisu}/u,
];

/** Letters of other alphabets, and digits, by the Latin letters that they look like (Unicode TR 39, those in names). */
const LOOKS: Record<string, string> = Object.fromEntries(
  [
    ["a", "аαɑ"],
    ["b", "ьβ"],
    ["c", "сϲ"],
    ["d", "ԁ"],
    ["e", "еҽ"],
    ["g", "ɡ"],
    ["h", "һհ"],
    ["i", "іιɩı"],
    ["j", "ј"],
    ["k", "кκ"],
    ["l", "ӏ1|"],
    ["m", "м"],
    ["n", "ոп"],
    ["o", "оοօ0"],
    ["p", "рρ"],
    ["q", "ԛ"],
    ["r", "г"],
    ["s", "ѕ"],
    ["t", "тτ"],
    ["u", "υս"],
    ["v", "νѵ"],
    ["w", "ԝω"],
    ["x", "хχ"],
    ["y", "уγ"],
    ["z", "ᴢ"],
  ].flatMap(([latin, others]) => [...(others as string)].map((one) => [one, latin as string])),
);

/** A normal form of how a name looks: people cannot distinguish two names with the same form. */
export const nameFingerprint = (name: string): string =>
  [...name.normalize("NFKC").toLowerCase().normalize("NFD")]
    .filter((sign) => !/[\p{M}\p{Default_Ignorable_Code_Point}]/u.test(sign))
    .map((sign) => LOOKS[sign] ?? sign)
    .join("")
    .replaceAll(/\s+/gu, " ")
    .trim();

/** Invisible characters, characters that change the writing direction, and unassigned code points. */
export const hasUnseen = (text: string): boolean =>
  /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u.test(text);

/** Why a name is not allowed, as a sentence; null if it is. */
export function nameProblem(given: string): string | null {
  const name = given.normalize("NFKC");
  if (hasUnseen(name))
    return "A name cannot contain invisible characters or characters that change the writing direction.";
  if (ALIKE.filter((alphabet) => alphabet.test(name)).length > 1)
    return "A name uses one alphabet: letters of different alphabets look alike.";
  const reserved = RESERVED.find((word) => nameFingerprint(word) === nameFingerprint(name));
  return reserved === undefined ? null : `The name "${reserved}" is reserved by Handrail. Choose another name.`;
}
