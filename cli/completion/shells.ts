import type { Place } from "./tree";

export const SHELLS = ["bash", "zsh", "fish"] as const;
export type Shell = (typeof SHELLS)[number];

/** The script that a shell loads: everything is in it, so that Tab starts no process. */
export const completionScript = (shell: Shell, places: readonly Place[]): string => SCRIPTS[shell](places);

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
const paths = (places: readonly Place[]) => places.map(({ path }) => path).filter(Boolean);

const bash = (places: readonly Place[]): string => `# handrail completion for bash: source <(handrail completion bash)
_handrail() {
  local at="" word next
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    next="\${at:+$at }$word"
    case "$next" in
      ${paths(places).map(quoted).join(" | ")}) at="$next" ;;
    esac
  done
  local words=""
  case "$at" in
${places.map(({ path, words }) => `    ${quoted(path)}) words=${quoted(words.map(({ word }) => word).join(" "))} ;;`).join("\n")}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _handrail handrail
`;

/** A colon separates a word from its description. */
const described = ({ word, description }: Place["words"][number]) =>
  quoted(`${word.replaceAll(":", "\\:")}:${description}`);

const zsh = (places: readonly Place[]): string => `#compdef handrail
# handrail completion for zsh: source <(handrail completion zsh), after compinit
_handrail() {
  local at="" word next
  local -a choices
  for word in "\${(@)words[2,CURRENT-1]}"; do
    next="\${at:+$at }$word"
    case "$next" in
      ${paths(places).map(quoted).join("|")}) at="$next" ;;
    esac
  done
  case "$at" in
${places.map(({ path, words }) => `    ${quoted(path)}) choices=(${words.map(described).join(" ")}) ;;`).join("\n")}
  esac
  _describe 'handrail' choices || _files
}
compdef _handrail handrail
`;

const fish = (places: readonly Place[]): string => `# handrail completion for fish: handrail completion fish | source
function __handrail_at
  set -l at
  set -l words (commandline -opc)
  set -e words[1]
  for word in $words
    set -l next (string join " " $at $word)
    contains -- $next ${paths(places).map(quoted).join(" ")}; and set at $next
  end
  test "$at" = "$argv[1]"
end
${places.flatMap(({ path, words }) => words.map((one) => fishLine(path, one))).join("\n")}
`;

function fishLine(path: string, { word, description }: Place["words"][number]): string {
  const what = word.startsWith("--") ? `-l ${word.slice(2)}` : `-f -a ${word}`;
  return `complete -c handrail -n "__handrail_at '${path}'" ${what} -d ${fishQuoted(description)}`;
}

const fishQuoted = (text: string) => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;

const SCRIPTS: Record<Shell, (places: readonly Place[]) => string> = { bash, zsh, fish };
