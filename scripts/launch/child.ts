/** A program that the launcher has started. */
export type Child = {
  name: string;
  /** How it ended, in words: "exit code 1", "SIGKILL". */
  ended: Promise<string>;
  /** Everything it wrote, if its output is "kept". */
  output: () => string;
  stop: () => Promise<void>;
};
