import { expect, it } from "vitest";
import { verificationListResponse } from "../../../lib/api/contract/verifications";
import { startApiServer } from "../../../lib/testing/api/api-server";
import { anApiWithSignIn } from "../../../lib/testing/api/with-sign-in";
import type { VerifyReport } from "../../../lib/verify/verify";
import { openSession, screenOf } from "../../session/session";
import { publishReport } from "./publish";

const finding: VerifyReport["findings"][number] = {
  kind: "twice",
  step: "mail",
  seen: `twice \0${"m".repeat(2_000)}`,
  todo: "Hand over the key.",
  line: null,
  trial: 1,
  faults: ["worker dies"],
  trials: 1,
};
const report: VerifyReport = {
  workflow: "order",
  version: 2,
  steps: Array.from({ length: 150 }, (_, index) => `step-${index}`),
  inputs: 1,
  findings: [finding],
  asked: [],
  trials: [
    { number: 0, faults: [], verdict: "as_without_faults" },
    { number: 1, faults: [{ kind: "down", step: "mail" }], verdict: "finding" },
  ],
  skipped: 0,
  seed: 1,
  pairs: 0,
  against: null,
  ms: 1_500,
  postgres: "18.1",
};

it("a report is published with the token of a pipeline, and what is too long or too much is cut", async ({
  onTestFinished,
}) => {
  const api = await anApiWithSignIn();
  const server = await startApiServer(api, { signIn: true });
  onTestFinished(async () => {
    await server.close();
    await api.close();
  });
  const token = await api.mint(["deploy.mark"]);
  const session = openSession({ url: server.url, token }, screenOf({ json: true }), new AbortController().signal);
  await publishReport(session, report, "9f3c2d1");
  const { body } = await api.as(await api.mint(["viewer"]), "GET", "/v1/workflows/order/verifications");
  const [published] = verificationListResponse.parse(body).verifications;
  expect(published).toMatchObject({ version: 2, commit: "9f3c2d1", trials: 2, passed: 1 });
  expect(published?.steps).toHaveLength(100);
  expect(published?.findings[0]?.seen).toMatch(/^twice m{994}$/);
});
