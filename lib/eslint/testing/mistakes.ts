/** Code that a rule has to find something in, at each line that is marked `// wrong`, and the same code put right. */
export interface Planted {
  wrong: string[];
  right: string[];
}

/** In a workflow, as an app has it. */
const workflow = (code: string, before = "") =>
  `import { defineWorkflow } from "handrail";\n${before}\nexport default defineWorkflow({ name: "w", input }, async (ctx, { items, order }) => {\n${code}\n});`;

export const mistakes: Record<string, Planted> = {
  "await-steps": {
    wrong: [
      workflow(`ctx.step("charge", () => charge(order)); // wrong: ctx.step`),
      workflow(`void ctx.transaction("rows", (tx) => tx.order.create({})); // wrong: ctx.transaction`),
      workflow(`ctx.mapSteps(items, "pack", (item) => pack(item)); // wrong: ctx.mapSteps`),
      workflow(`if (order.late) ctx.sleep("a-day", "24h"); // wrong: ctx.sleep`),
      workflow(`order.late && ctx.startChild("mail", mail, order); // wrong`),
      workflow(`const charge = ctx.step("charge", () => pay(order)); // wrong: nothing uses .charge.\nreturn 1;`),
      workflow(`const charge = ctx.step("charge", () => pay(order)); // wrong: not its output\nreturn charge.id;`),
      workflow(`const { id } = ctx.step("charge", () => pay(order)); // wrong: has none of these\nreturn id;`),
      workflow(`if (ctx.approval("ok", { question: "Pay?" })) return 1; // wrong: always true`),
      workflow(`return "paid " + ctx.step("charge", () => pay(order)); // wrong: not its output`),
      workflow(`items.map((item) => ctx.step(\`pack:\${item}\`, () => pack(item))); // wrong`),
      workflow(`Promise.all(items.map((item) => ctx.step(\`pack:\${item}\`, () => pack(item)))); // wrong`),
      workflow(`items.forEach((item) => ctx.step(\`pack:\${item}\`, () => pack(item))); // wrong: forEach`),
      workflow(
        `items.forEach(async (item) => { // wrong: forEach waits for nothing\nawait ctx.step(\`pack:\${item}\`, () => pack(item));\n});`,
      ),
      workflow(
        `pay(ctx, order); // wrong: pay\\(…\\), which has steps`,
        `async function pay(c, order) { await c.step("pay", () => order.id); }`,
      ),
      workflow(`const once = async () => { await ctx.sleep("a", "1h"); };\nonce(); // wrong: once`),
    ],
    right: [
      workflow(`await ctx.step("charge", () => charge(order));`),
      workflow(
        `return ctx.mapSteps(items, "pack", async (item) => pack(await ctx.services.find(item)), { reduce: (all) => all });`,
      ),
      workflow(`return ctx.transaction("rows", (tx) => tx.order.create({}));`),
      workflow(
        `const charge = ctx.step("charge", () => pay(order));\nconst mail = await ctx.step("mail", () => 1);\nreturn (await charge).id + mail;`,
      ),
      workflow(`const slow = ctx.step("slow", () => 1);\nreturn Promise.race([slow, ctx.sleep("a-day", "24h")]);`),
      workflow(`await Promise.allSettled(items.map((item) => ctx.step(\`pack:\${item}\`, () => pack(item))));`),
      workflow(
        `const packed = items.map((item) => ctx.step(\`pack:\${item}\`, () => pack(item)));\nawait Promise.all(packed);`,
      ),
      workflow(
        `const packed = [];\nfor (const item of items) packed.push(ctx.step(\`pack:\${item}\`, () => pack(item)));\nawait Promise.all(packed);`,
      ),
      ...[
        "await Promise.all(mails.concat(texts));",
        "for (const [at, one] of mails.entries()) ctx.log('mail', { at, id: await one });",
        "while (mails.length) await mails.shift();",
      ].map((use) =>
        workflow(
          `const mails = items.map((item) => ctx.step(\`mail:\${item}\`, () => mail(item)));\nconst texts = [ctx.step("text", () => 1)];\n${use}\nawait Promise.all(texts);`,
        ),
      ),
      workflow(`ctx.step("mail", () => 1).catch(() => undefined);`),
      workflow(`const mail = ctx.step("mail", () => 1);\nreturn mail.then(({ id }) => id);`),
      workflow(
        `const { id } = await ctx.step("charge", () => pay(order));\nctx.log("charged", { id });\nctx.progress(1, 2);`,
      ),
      workflow(`await pay(ctx, order);`, `async function pay(c, order) { await c.step("pay", () => order.id); }`),
      workflow(
        `if ((await ctx.approval("ok", { question: "Pay?" })).choice === "approve") return order.late ? ctx.sleep("a", "1h") : null;`,
      ),
      workflow(
        `for (const item of items) {\nconst one = async () => ctx.step(\`pack:\${item}\`, () => 1);\nawait one();\n}`,
      ),
      // Other things that are called ctx.
      `app.use((ctx) => { ctx.step("x"); });`,
      `import { defineWorkflow } from "openworkflow";\ndefineWorkflow({}, async (ctx) => { ctx.step("x", () => 1); Date.now(); });`,
    ],
  },
  "no-nested-steps": {
    wrong: [
      workflow(`await ctx.step("order", async () => {\nawait ctx.step("charge", () => 1); // wrong: ctx.step\n});`),
      workflow(
        `await ctx.transaction("order", async (tx) => {\nawait tx.order.create({});\nawait ctx.sleep("a-day", "24h"); // wrong: ctx.sleep\n});`,
      ),
      workflow(
        `await ctx.mapSteps(items, "pack", async (item) => {\nawait ctx.step(item.id, () => pack(item)); // wrong: ctx.step\n});`,
      ),
      workflow(
        `await ctx.step("order", () => pay(order), {\ncompensate: async () => {\nawait ctx.child("refund", refund, order); // wrong: ctx.child\n},\n});`,
      ),
      workflow(`await ctx.step("all", () => Promise.all(items.map((item) =>\nctx.step(item, () => 1)))); // wrong`),
      workflow(
        `await ctx.step("order", () => pay(ctx, order));`,
        `async function pay(c, order) {\nawait c.step("pay", () => order.id); // wrong: ctx.step\n}`,
      ),
      workflow(
        `const body = async () => {\nawait ctx.checkpoint(); // wrong: ctx.checkpoint\n};\nawait ctx.step("order", body);`,
      ),
      workflow(`await ctx.step("order", retried(async () => {\nawait ctx.step("charge", () => 1); // wrong\n}));`),
    ],
    right: [
      workflow(`const id = await ctx.step("order", () => 1);\nawait ctx.step("charge", () => pay(id));`),
      workflow(
        `await ctx.step("order", ({ log }) => { ctx.log("in it"); ctx.progress(1, 2); log("so"); return ctx.services.pay(order); });`,
      ),
      workflow(`await pay(ctx, order);`, `async function pay(c, order) { await c.step("pay", () => order.id); }`),
      workflow(
        `await Promise.all(items.map(async (item) => { await ctx.step(\`a:\${item}\`, () => 1); await ctx.step(\`b:\${item}\`, () => 2); }));`,
      ),
      workflow(`await ctx.step("order", async () => { const ctx = other(); await ctx.step("its own", () => 1); });`),
    ],
  },
  "no-effects-between-steps": {
    wrong: [
      workflow(`const at = Date.now(); // wrong: Date.now\\(\\) between steps.*ctx.now\\(\\)\nreturn at;`),
      workflow(`return { at: new Date() }; // wrong: new Date\\(\\)`),
      workflow(`if (Math.random() < 0.5) return 1; // wrong: Math.random`),
      workflow(`const id = crypto.randomUUID(); // wrong: crypto.randomUUID\nreturn id;`),
      workflow(`return randomUUID(); // wrong: randomUUID`, `import { randomUUID } from "node:crypto";`),
      workflow(`return crypto.randomBytes(4); // wrong: crypto.randomBytes`, `import crypto from "crypto";`),
      workflow(`return v7(); // wrong: v7`, `import { v7 } from "uuid";`),
      workflow(`await fetch("https://example.com"); // wrong: fetch\\(\\) between steps.*in the body of a step`),
      workflow(`if (process.env.CHARGES === "off") return; // wrong: process.env`),
      workflow(`const { CHARGES } = process.env; // wrong: process.env\nreturn CHARGES;`),
      workflow(`await fs.promises.readFile("a.txt"); // wrong: fs.promises.readFile`, `import fs from "node:fs";`),
      workflow(`await readFile("a.txt"); // wrong: readFile`, `import { readFile as readFile } from "fs/promises";`),
      workflow(`execFileSync("ls"); // wrong: execFileSync`, `const { execFileSync } = require("child_process");`),
      workflow(`await new Promise((done) => setTimeout(done, 100)); // wrong: setTimeout.*ctx.sleep`),
      workflow(
        `await delay(100); // wrong: delay.*ctx.sleep`,
        `import { setTimeout as delay } from "node:timers/promises";`,
      ),
      workflow(`await ctx.services.payments.charge(order); // wrong: A service`),
      workflow(`const { services } = ctx;\nawait services.payments.charge(order); // wrong: A service`),
      workflow(`const { mail } = ctx.services;\nawait mail.send(order); // wrong: A service`),
      workflow(
        `const { mail: { send }, ...others } = ctx.services;\nsend(order); // wrong: A service\nothers.ring(); // wrong`,
      ),
      workflow(`const mail = ctx.services.mail;\nawait mail.send(order); // wrong: A service`),
      workflow(`const { services: { mail } = {} } = ctx;\nawait mail.send(order); // wrong: A service`),
      workflow(`const all = ctx.services;\nconst { mail } = all;\nawait mail.send(order); // wrong: A service`),
      `import { defineWorkflow } from "handrail";\ndefineWorkflow({}, async ({ services: { mail }, step }) => {\nawait mail.send("hello"); // wrong: A service\nawait step("a", () => mail.send("hello"));\n});`,
      workflow(`await ctx.step(\`charge:\${Date.now()}\`, () => 1); // wrong: Date.now`),
      workflow(`await Promise.all(items.map((item) => fetch(item))); // wrong: fetch`),
      workflow(`const today = () => new Date(); // wrong: new Date\nreturn today();`),
      workflow(
        `await pay(ctx, order);`,
        `async function pay(c, order) {\nconst at = Date.now(); // wrong: Date.now\nawait c.step("pay", () => at);\n}`,
      ),
      `import { defineWorkflow as define } from "handrail";\ndefine({}, async ({ step, run }) => {\nconst at = Date.now(); // wrong: Date.now\nawait step("a", () => at + run.id);\n});`,
      `const { defineWorkflow } = require("handrail");\nasync function code(context) {\nawait fetch("https://example.com"); // wrong: fetch\nawait context.sleep("a", "1h");\n}\nmodule.exports = defineWorkflow({}, code);`,
      `import * as handrail from "handrail";\nhandrail.defineWorkflow({}, (ctx) => ctx.step("a" + Math.random(), () => 1)); // wrong: Math.random`,
      `import { createHttpWorker } from "handrail/http-worker";\nconst worker = createHttpWorker({});\nworker.workflow({}, async (ctx) => { await ctx.sleep("a", 1); }).workflow({}, async (ctx) => {\nawait fetch("x"); // wrong: fetch\nawait ctx.sleep("a", 1);\n});`,
    ],
    right: [
      workflow(`const at = await ctx.now();\nreturn at;`),
      workflow(`return { at: new Date(order.at), from: ctx.run.createdAt };`),
      workflow(`const url = process.env.URL;\nawait ctx.step("a", () => fetch(url));`)
        .replace("const url = process.env.URL;\n", "")
        .replace("export", "const url = process.env.URL;\nexport"),
      workflow(`console.log(Date.now());\nctx.log("at", { at: new Date() });`),
      workflow(
        `await ctx.step("charge", async ({ idempotencyKey, signal }) => {\nconst at = Date.now();\nawait new Promise((done) => setTimeout(done, 10));\nreturn ctx.services.payments.charge(order, { idempotencyKey, signal, at });\n}, { compensate: () => ctx.services.payments.refund(Math.random()), reference: () => crypto.randomUUID() });`,
      ),
      workflow(`const id = () => crypto.randomUUID();\nawait ctx.step("id", () => id());`),
      workflow(`await ctx.step("id", traced(async () => fetch("x")));`),
      workflow(
        `await ctx.step("charge", () => pay(ctx, order));`,
        `const pay = (c, order) => { const at = Date.now(); return c.services.payments.charge(order, at); };`,
      ),
      workflow(
        `return createHash("sha256").update(order.id).digest("hex");`,
        `import { createHash } from "node:crypto";`,
      ),
      workflow(`const { payments } = ctx.services;\nawait ctx.step("charge", () => payments.charge(order));`),
      workflow(`const fetch = (one) => one.id;\nreturn fetch(order);`),
      `setInterval(() => fetch("x"), 1000);\nexport const now = () => Date.now();`,
    ],
  },
  "unique-step-names": {
    wrong: [
      workflow(`for (const item of items)\nawait ctx.step("pack", () => pack(item)); // wrong: one name`),
      workflow(`for (let at = 0; at < 3; at++) {\nawait ctx.sleep(\`wait\`, "1h"); // wrong\n}`),
      workflow(
        `while (true) {\ntry {\nawait ctx.step("charge", () => pay(order)); // wrong\nbreak;\n} catch { /* again */ }\n}`,
      ).replace("\nbreak;\n", "\n"),
      workflow(
        `const name = "pack";\ndo {\nawait ctx.step(name + ":" + order, () => 1); // wrong\n} while (await ctx.step("more", () => false)); // wrong`,
      ),
      workflow(`await Promise.all(items.map((item) =>\nctx.child("pack", pack, item))); // wrong`),
      workflow(
        `await Promise.all(items.map(async (item) => {\nconst id = item.id;\nreturn ctx.transaction(\`pack:\${order}\`, (tx) => tx.run(id)); // wrong\n}));`,
      ),
    ],
    right: [
      workflow(`for (const item of items) await ctx.step(\`pack:\${item.id}\`, () => pack(item));`),
      workflow(`for (let at = 0; at < 3; at++) await ctx.sleep("wait:" + at, "1h");`),
      workflow(`let at = 0;\nwhile (at < 3) { at += 1; await ctx.sleep(\`wait:\${at}\`, "1h"); }`),
      workflow(`for (const item of await ctx.step("items", () => [1])) await ctx.step(\`pack:\${item}\`, () => 1);`),
      workflow(
        `for (const item of items) {\nif (!item.last) continue;\nawait ctx.step("pack-last", () => pack(item));\nbreak;\n}`,
      ),
      workflow(`for (const item of items) if (item.last) return ctx.step("pack-last", () => pack(item));`),
      workflow(`await Promise.all(items.map(({ id: name }) => ctx.step(name, () => 1)));`),
      workflow(`await Promise.all(items.map((item) => ctx.step(nameOf(item), () => items.map(() => "pack"))));`),
      workflow(
        `await ctx.step("a", () => { for (const item of items) pack(item); });\nfor (const item of items) { const name = \`b:\${item}\`; await ctx.step(name, () => 1); }`,
      ),
    ],
  },
  "plain-outputs": {
    wrong: [
      workflow(`await ctx.step("client", () => new PaymentClient()); // wrong: An instance of PaymentClient`),
      workflow(`await ctx.step("make", () => () => 1); // wrong: A function`),
      workflow(`await ctx.step("make", () => ({\nid: 1,\nrefund() {}, // wrong: A function\n}));`),
      workflow(
        `await ctx.transaction("make", async (tx) => {\nconst row = new Row(await tx.query("select 1"));\nreturn row; // wrong: An instance of Row\n});`,
      ),
      workflow(`await ctx.step("key", () => Symbol("key")); // wrong: A symbol`),
      workflow(`return [order, new Money(3)]; // wrong: An instance of Money`),
      workflow(`await ctx.step("either", function () { return order.late ? null : class {}; }); // wrong: A function`),
    ],
    right: [
      workflow(`await ctx.step("client", () => new PaymentClient().charge(order));`),
      workflow(
        `await ctx.step("kept", () => ({ at: new Date(), all: new Map([[1, new Set()]]), url: new URL("x:y"), why: new TypeError("no"), bytes: new Uint8Array(2) }));`,
      ),
      workflow(`await ctx.step("wait", () => new Promise((done) => socket.once("end", done)));`),
      workflow(`await ctx.step("some", () => items.filter((item) => item.late).map((item) => new Row(item).id));`),
      workflow(`await ctx.transaction("row", async (tx) => { const row = new Row(); return row.id; });`),
      workflow(`const double = (n) => n * 2;\nreturn { twice: double(order) };`),
    ],
  },
  "explained-once-steps": {
    wrong: [
      workflow(
        `await ctx.step("mail", () => mail(order), {\neffect: "once", // wrong: reconcile\ntimeoutMs: 1000,\n});`,
      ),
      workflow(
        `const once = {\neffect: "once", // wrong: instructions\n};\nawait ctx.step("mail", () => mail(order), once);`,
      ),
    ],
    right: [
      workflow(
        `await ctx.step("mail", () => mail(order), { effect: "once", reconcile: ({ idempotencyKey }) => find(idempotencyKey) });`,
      ),
      workflow(
        `await ctx.step("mail", () => mail(order), { effect: "once", compensate: "manual", instructions: "Write to the customer." });`,
      ),
      workflow(`await ctx.step("mail", () => mail(order), { effect: "once", reference: ({ id }) => id });`),
      workflow(`await ctx.step("mail", () => mail(order), { ...defaults, effect: "once" });`),
      workflow(
        `await ctx.step("mail", () => mail(order), { effect: "idempotent" });\nawait ctx.step("read", () => order);`,
      ),
    ],
  },
};
