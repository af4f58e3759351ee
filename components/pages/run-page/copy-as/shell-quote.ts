/** One word of any POSIX shell, whatever it contains. It cannot hold a NUL, and neither can a shell's. */
export const shellQuote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
