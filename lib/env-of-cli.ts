/** What the command line reads of its environment. An empty variable counts as not set. */
export interface CliEnv {
  /** `HANDRAIL_URL`: where Handrail answers. */
  url: string | undefined;
  /** `HANDRAIL_TOKEN`: sent with every request, and printed nowhere. */
  token: string | undefined;
  /** No colours are wanted (`NO_COLOR`), or the terminal has none. */
  colourless: boolean;
}

export function readCliEnv(): CliEnv {
  const { HANDRAIL_URL, HANDRAIL_TOKEN, NO_COLOR, TERM } = process.env;
  return {
    url: HANDRAIL_URL || undefined,
    token: HANDRAIL_TOKEN || undefined,
    colourless: Boolean(NO_COLOR) || TERM === "dumb",
  };
}

/** For packages that read their options from the environment. */
export function setUnlessSet(variables: Record<string, string>): void {
  for (const [name, value] of Object.entries(variables)) process.env[name] ??= value;
}
