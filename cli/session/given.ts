import { readFileSync } from "node:fs";
import { text } from "node:stream/consumers";
import { InvalidArgumentError, Option } from "commander";
import { toMilliseconds } from "../../lib/engine/duration";
import { UsageError } from "./stops";

/** For options with a whole number. */
export const wholeNumber =
  (least: number, most: number) =>
  (written: string): number => {
    const value = Number(written);
    if (!/^-?\d+$/.test(written) || value < least || value > most)
      throw new InvalidArgumentError(`Write a whole number from ${least} to ${most}.`);
    return value;
  };

/** For options with a duration, in milliseconds. */
export function durationMs(written: string): number {
  try {
    return toMilliseconds(/^\d+$/.test(written) ? `${written}s` : written);
  } catch {
    throw new InvalidArgumentError('Write a duration such as "30s", "5m", "24h" or "1h 30m".');
  }
}

/** For options that are given several times: `NAME=VALUE`. */
export function namedValue(written: string, before: Record<string, string> = {}): Record<string, string> {
  const [, name, value] = /^([^=]+)=(.+)$/s.exec(written) ?? [];
  if (name === undefined || value === undefined) throw new InvalidArgumentError("Write NAME=VALUE.");
  return { ...before, [name]: value };
}

/** An option that can be given several times. @param choices what it accepts; absent: anything */
export function listOf(flags: string, description: string, choices?: readonly string[]): Option {
  const refused = `Choose from ${choices?.join(", ")}.`;
  return new Option(flags, description).argParser((written, before: string[] = []) => {
    if (choices && !choices.includes(written)) throw new InvalidArgumentError(refused);
    return [...before, written];
  });
}

/** A JSON value: as it is written, from a file as `@FILE`, from stdin as `-`. @throws UsageError */
export async function jsonValue(written: string, option: string): Promise<unknown> {
  const source = await textOf(written, option);
  try {
    return JSON.parse(source);
  } catch (error) {
    throw new UsageError(`${option} is not JSON: ${(error as Error).message}. Write JSON, @FILE or - for stdin.`);
  }
}

async function textOf(written: string, option: string): Promise<string> {
  if (written === "-") return text(process.stdin);
  if (!written.startsWith("@")) return written;
  try {
    return readFileSync(written.slice(1), "utf8");
  } catch (error) {
    throw new UsageError(`${option} cannot be read: ${(error as Error).message}.`);
  }
}
