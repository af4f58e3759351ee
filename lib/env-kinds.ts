import { z } from "zod";

export const wholeNumber = (min: number, max: number) => z.coerce.number().int().min(min).max(max);

export const port = (name: string, usual: number) =>
  wholeNumber(1, 65_535).default(usual).describe(`a whole number from 1 to 65535, such as ${name}=${usual}`);
