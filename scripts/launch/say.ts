// The terminal or the pipe may be gone. That ends nothing but what is shown.
process.stdout.on("error", () => undefined);

/** Prints to the terminal: whole sentences, a line each. */
export function say(sentence: string): void {
  process.stdout.write(`${sentence}\n`);
}
