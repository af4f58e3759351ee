import { Writable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { expect, it } from "vitest";
import winston from "winston";
import { z } from "zod";
import { defineWorkflow } from "../engine/workflows/workflow";
import { anEngine } from "../testing/workers/engine";
import { winstonCapture } from "./logs";

const engine = anEngine();

it("lines of winston stay with their own runs although another transport is slow", async () => {
  let written = 0;
  const slow = new Writable({
    objectMode: true,
    highWaterMark: 1,
    write: (_line, _encoding, done) => {
      written++;
      setTimeout(done, 5);
    },
  });
  const logger = winstonCapture(
    winston.createLogger({
      level: "debug",
      format: winston.format.json(),
      transports: [new winston.transports.Stream({ stream: slow })],
    }),
  );
  const input = z.object({ who: z.string() });
  const workflow = defineWorkflow({ name: "captured-winston", input, captureLogs: {} }, (ctx, { who }) =>
    ctx.step("a", async () => {
      for (let line = 0; line < 30; line++) {
        logger.child({ who }).warn(`line ${line}`, { line });
        if (line % 5 === 0) await delay(1);
      }
      await delay(300);
    }),
  );
  const names = ["one", "two", "three"];
  const ids = await Promise.all(names.map((who) => engine.start(workflow, { who })));
  await engine.worker([workflow]);
  for (const [place, id] of ids.entries()) {
    await engine.untilEnded(id);
    const rows = await engine.rows<{ level: string; data: string }>(
      "select level, data from handrail.log where run_id = $1",
      [id],
    );
    expect(rows).toHaveLength(30);
    for (const { level, data } of rows) expect([level, JSON.parse(data).who]).toEqual(["warn", names[place]]);
  }
  logger.info("outside");
  expect(written).toBeGreaterThan(0);
});
