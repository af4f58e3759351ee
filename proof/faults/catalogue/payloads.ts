import { z } from "zod";
import { prepareStart } from "../../../lib/engine/runs/start";
import { MAX_VALUE_BYTES } from "../../../lib/engine/values/bounds";
import { decodeValue } from "../../../lib/engine/values/codec";
import { defineWorkflow } from "../../../lib/engine/workflows/workflow";
import type { Fault } from "../fault";
import { workflows as flows } from "../flows/workflows";

const cyclic: { self?: unknown } = {};
cyclic.self = cyclic;

const text = (bytes: number) => "x".repeat(bytes - 2);

/** Values that have broken engines before, and whether they are kept. `large`: by a worker with a blob store. */
const VALUES: Record<string, { value: unknown; kept: boolean; large?: true }> = {
  "at the cap": { value: text(MAX_VALUE_BYTES), kept: true },
  "one byte over the cap": { value: text(MAX_VALUE_BYTES + 1), kept: false, large: true },
  "50 MB": { value: text(50_000_000), kept: false, large: true },
  NUL: { value: "a\0b", kept: true },
  "half a surrogate pair": { value: "a\ud800b", kept: true },
  "a key with NUL": { value: { "a\0b": 1 }, kept: true },
  "escaped NUL as text": { value: "\\u0000", kept: true },
  cyclic: { value: cyclic, kept: false },
  "deeper than the cap": { value: nested(101), kept: false },
  "a function": { value: () => 1, kept: false },
  "a promise inside": { value: { later: Promise.resolve(1) }, kept: false },
  "a getter that throws": {
    value: {
      get boom() {
        throw new Error("boom");
      },
    },
    kept: false,
  },
  undefined: { value: undefined, kept: true },
  "not a number": { value: Number.NaN, kept: true },
  "an infinite number": { value: -Infinity, kept: true },
  "a huge integer": { value: 2n ** 80n, kept: true },
  "a key __proto__": { value: JSON.parse('{"__proto__": {"polluted": true}}'), kept: true },
  "an own $type": { value: { $type: "Date", value: "never" }, kept: true },
};

function nested(depth: number): unknown {
  return depth === 0 ? 1 : [nested(depth - 1)];
}

/** What a body may throw, including invalid values. */
const THROWN: Record<string, unknown> = {
  "nothing at all": undefined,
  "a text with NUL": "a\0b",
  "an error with a message of 50 MB": new Error(text(50_000_000)),
  "a cyclic cause": Object.assign(new Error("cyclic"), { cause: cyclic }),
  "an error with half a surrogate pair": new Error("a\ud800b"),
};

const kind = z.object({ kind: z.string() });

const returning = defineWorkflow({ name: "returning", input: kind }, async (ctx, input) => {
  const first = await ctx.step("return", () => VALUES[input.kind]?.value);
  // Parked and resumed: the stored values are decoded here, and stored once more.
  await ctx.sleep("nap", 1);
  await ctx.step("again", () => first);
});

const throwing = defineWorkflow({ name: "throwing", input: kind, retry: { maxAttempts: 1 } }, (ctx, input) =>
  ctx.step("throw", () => {
    throw THROWN[input.kind];
  }),
);

const hostileInput = defineWorkflow(
  { name: "hostile-input", input: z.object({ value: z.any() }) },
  async (_, input) => input,
);

const known = [...flows, returning, throwing, hostileInput];

export const payloads: Fault = {
  name: "huge and poisonous payloads",
  how: `${Object.keys(VALUES).length} values as input and as output, ${Object.keys(THROWN).length} thrown, among ordinary runs`,
  workflows: known,
  async strike(scene) {
    // Values of 50 MB block the event loop.
    await scene.worker({ workflows: known, leaseMs: 30_000 });
    await scene.load(1);
    for (const [name, { kept, large }] of Object.entries(VALUES))
      scene.allow(await scene.start(returning, { kind: name }), kept || large ? "completed" : "failed");
    for (const name of Object.keys(THROWN)) scene.allow(await scene.start(throwing, { kind: name }), "failed");
    for (const [name, { value, kept }] of Object.entries(VALUES)) {
      const accepted = await prepareStart(hostileInput, { value }).then(
        (prepared) => decodeValue(prepared.input) !== null,
        () => false,
      );
      // The input's own braces and name take some bytes of the cap.
      if (name !== "at the cap")
        scene.check(accepted === kept, "P1", `as input, ${name} was ${accepted ? "" : "not "}accepted`);
      if (accepted) await scene.start(hostileInput, { value });
    }
    await scene.untilQuiet();
    return scene.runs.length;
  },
};
