import type { Planted } from "./mistakes";

const FROM_ANOTHER_FILE = `import type { Context } from "handrail";
import { type HttpContext } from "handrail/http-worker";
`;

/** What is seen with types alone: a function that takes the `ctx` of a workflow in another file. */
export const typedMistakes: Record<string, Planted> = {
  "no-effects-between-steps": {
    wrong: [
      `${FROM_ANOTHER_FILE}export async function pay(ctx: Context, order: string): Promise<void> {
const at = Date.now() as number; // wrong: Date.now
await ctx.step("pay", () => at + order.length);
}`,
      `${FROM_ANOTHER_FILE}export const pay = async (order: string, ctx: HttpContext) => {
await (fetch as typeof fetch)(order); // wrong: fetch
return await ctx.step<number>("pay", () => 1)!;
};`,
    ],
    right: [
      // It may be called in a body.
      `${FROM_ANOTHER_FILE}export const pay = (ctx: Context, order: string) => ctx.services.payments.charge(order, Date.now());`,
      `import type { Context } from "hono";\nexport const GET = (ctx: Context) => ctx.step(new Date());`,
    ],
  },
  "await-steps": {
    wrong: [
      `${FROM_ANOTHER_FILE}export async function pay(ctx: Context): Promise<void> {
ctx.step("pay", () => 1) as unknown; // wrong: ctx.step
}`,
    ],
    right: [`${FROM_ANOTHER_FILE}export const pay = (ctx: Context) => ctx.step("pay", () => 1) as Promise<1>;`],
  },
};
