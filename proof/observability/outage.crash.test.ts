import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { aPlace, Launched } from "../../lib/testing/processes/launched";
import { until as untilTrue } from "../../lib/testing/until";
import { isBuilt } from "../../scripts/launch/build";
import { freePort } from "../../scripts/ports";
import { findPrometheus } from "../../scripts/test/prometheus";

/* The outage of the demo as the tools around it see it: Prometheus with the kit, and services that speak as Slack and PagerDuty do. */

const built = await isBuilt();
/** A busy machine starts all of it in minutes, and an alert is pending for two. */
const PATIENCE_MS = 240_000;
const until = <Answer>(what: string, ask: () => Promise<Answer>) => untilTrue(what, ask, PATIENCE_MS);

interface Panel {
  title: string;
  targets: { expr: string }[];
}
const { panels } = JSON.parse(readFileSync("deploy/observability/dashboard.json", "utf8")) as { panels: Panel[] };

/** `npm run demo -- --observe`, and how each of its parts is asked. */
async function anObservedDemo() {
  const [sandboxPort, smtpPort] = [await freePort(), await freePort()];
  const place = await aPlace({ HANDRAIL_SANDBOX_PORT: String(sandboxPort), HANDRAIL_SMTP_PORT: String(smtpPort) });
  const demo = Launched.node(["--import", "tsx", "scripts/run.ts", "demo", "--observe"], place);
  const started = until("the demo's start", async () => demo.said.includes("export HANDRAIL_TOKEN="));
  const ended = demo.untilEnded().then(() => Promise.reject(new Error(`The demo ended:\n${demo.said}`)));
  await Promise.race([started, ended]);
  const found = (words: RegExp) => words.exec(demo.said)?.[1] ?? "";
  const token = found(/HANDRAIL_TOKEN=(\S+)/);
  const prometheus = found(/(http:\S+)\/alerts/);
  // biome-ignore lint/suspicious/noExplicitAny: a test looks at whatever the server said
  const json = async (url: string, init: RequestInit = {}): Promise<any> => {
    const answer = await fetch(url, init).catch(() => null);
    return answer?.json();
  };
  const send = (method: string, body: object, headers: Record<string, string> = {}) => ({
    ...{ method, body: JSON.stringify(body), headers: { "content-type": "application/json", ...headers } },
  });
  const origin = `http://127.0.0.1:${place.port}`;
  const authorization = `Bearer ${token}`;
  // A problem is assigned to people who have been here.
  await json(`${origin}/api/v1/demo/session`, send("POST", { role: "operator" }, { origin }));
  const api = (path: string, body?: object) =>
    json(`${origin}/api/v1${path}`, body ? send("POST", body, { authorization }) : { headers: { authorization } });
  const sandbox = (path: string, body?: object) =>
    json(`http://127.0.0.1:${sandboxPort}${path}`, body && send("PUT", body));
  const alerts = async (): Promise<{ labels: { alertname: string }; state: string }[]> =>
    (await json(`${prometheus}/api/v1/alerts`))?.data.alerts ?? [];
  const values = async (expr: string): Promise<number[]> => {
    const query = expr.replaceAll("$workflow", ".*").replaceAll("$__rate_interval", "1m");
    const answer = await json(`${prometheus}/api/v1/query?query=${encodeURIComponent(query)}`);
    return (answer?.data?.result ?? []).map(({ value }: { value: [number, string] }) => Number(value[1]));
  };
  return { api, sandbox, alerts, values };
}

describe.skipIf(!built || !findPrometheus())("the demo's outage (skipped without a build or Prometheus)", () => {
  it(
    "is seen by Prometheus, pages people, is acknowledged, and is over when its runs came through",
    async () => {
      const { api, sandbox, alerts, values } = await anObservedDemo();
      const charging = (problem: { step: string; failures: number }) =>
        problem.step === "charge-payment" && problem.failures > 20;
      const problem = await until("the problem", async () => (await api("/problems")).problems.find(charging));
      expect(await api(`/problems/${problem.id}`)).toMatchObject({
        deployBefore: { name: "9f3c2d1", url: expect.stringContaining("https://") },
      });

      const rule = async () => (await api("/alerts")).rules.find(({ name }: { name: string }) => name === "failing");
      const firing = await until("Handrail's own alert", async () => {
        const now = await rule();
        return now?.state === "firing" && now;
      });
      const [{ id: alertId }] = firing.alerts;
      const page = async () =>
        (await sandbox("/on-call")).alerts.find((alert: { key: string }) => alert.key === `handrail/alert/${alertId}`);
      const pageIs = (states: string) =>
        until(`${states} at PagerDuty`, async () => (await page())?.states.join() === states);
      const channelSays = (words: RegExp) =>
        until(`${words} in Slack`, async () => {
          const { posts, refused } = await sandbox("/on-call");
          expect(refused).toEqual([]);
          return posts.some(({ text }: { text: string }) => words.test(text));
        });
      await pageIs("open");
      expect((await page()).summary).toMatch(
        /^failing: 6\d % of the runs of order-fulfilment failed within 15 minutes/,
      );
      await channelSays(/^Needs attention: failing: /);

      await until("an answer to each query of the dashboard", async () => {
        const silent: string[] = [];
        for (const { title, targets } of panels)
          for (const { expr } of targets) if ((await values(expr)).length === 0) silent.push(title);
        return silent.length === 0;
      });
      const failing = async () => (await alerts()).find(({ labels }) => labels.alertname === "HandrailFailing");
      await until("Prometheus' own alert", async () => (await failing())?.state === "firing");

      await api(`/alerts/${firing.id}/acknowledgement`, { alertId, reason: "I am on call" });
      await pageIs("open,acknowledged");
      await channelSays(/^Acknowledged: failing: /);

      await sandbox("/payments/faults", { mode: "none" });
      // It fires for as long as nothing came through.
      expect(await rule()).toMatchObject({ state: "firing", alerts: [{ id: alertId, resolvedAt: null }] });
      const selection = { filter: { problem: problem.id } };
      const plan = await api("/plans", { act: "rerun", params: {}, selection });
      await api(`/plans/${plan.id}/executions`, { hash: plan.hash, reason: "the gateway is back" });
      await until("the runs came through", async () => (await api(`/problems/${problem.id}`)).openRuns === 0);
      await pageIs("open,acknowledged,resolved");
      await channelSays(/^Resolved: failing: /);
      const after = await rule();
      expect(after).toMatchObject({ state: "ok", subject: "order-fulfilment", alerts: [{ id: alertId }] });
      expect(after.value).toBeLessThan(0.45);
    },
    4 * PATIENCE_MS,
  );
});
