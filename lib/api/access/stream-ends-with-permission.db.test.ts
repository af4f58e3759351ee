import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { anApiWithSignIn, BOOTSTRAP } from "../../testing/api/with-sign-in";

let api: Awaited<ReturnType<typeof anApiWithSignIn>>;
beforeAll(async () => {
  api = await anApiWithSignIn();
});
afterAll(() => api.close());

it("a stream ends once its token is revoked: a caller without the permission receives nothing more", {
  timeout: 40_000,
}, async () => {
  const secret = await api.mint(["viewer"]);
  const response = await api.send("GET", "/v1/stream", { headers: { authorization: `Bearer ${secret}` } });
  const stream = { ended: false, text: "" };
  const read = async () => {
    const decoder = new TextDecoder();
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>)
      stream.text += decoder.decode(chunk);
    stream.ended = true;
  };
  void read();
  await vi.waitFor(() => expect(stream.text).toContain("id: 0"));
  const { body } = await api.as(BOOTSTRAP, "GET", "/v1/tokens");
  await api.as(BOOTSTRAP, "POST", `/v1/tokens/${body.tokens[0].id}/revocation`, { body: { reason: "lost" } });
  await vi.waitFor(() => expect(stream.ended).toBe(true), { timeout: 30_000 });
  // No change was sent meanwhile.
  expect(stream.text).not.toContain("event: change");
});
