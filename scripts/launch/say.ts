/** What the launcher tells the person at the terminal: whole sentences, a line each. */
export function say(sentence: string): void {
  process.stdout.write(`${sentence}\n`);
}
