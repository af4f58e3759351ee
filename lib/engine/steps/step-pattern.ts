/**
 * `send-3` and `send-4` of a loop are one step here, and so are `charge:A-17` and `charge:B-4`: digits after a colon
 * are data. `charge-v2` and `step2` are separate steps.
 */
export function stepPattern(name: string): string {
  return name
    .replace(UUID, "<id>")
    .replace(/(?<=[:#/[(])[^\s:#/[\](){}]*\d[^\s:#/[\](){}]*/g, "<id>")
    .replace(HEX, "<id>")
    .replace(/(?<=^|[-_.\s])\d+(?![\p{L}\p{N}])/gu, "<n>");
}

/** With digits and letters; of letters only, what is longer than words are. */
export const HEX = /\b(?:(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{6,}|[a-f]{8,})\b/gi;
export const UUID = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/gi;
