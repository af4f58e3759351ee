import {
  type Context,
  context,
  isSpanContextValid,
  type Link,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  type SpanOptions,
  TraceFlags,
  type Tracer,
  trace,
} from "@opentelemetry/api";
import { inOneGo } from "../engine/parts";
import { type HiddenText, hiddenText } from "../engine/privacy/hidden-text";
import { maskOf, secretsInParts } from "../engine/privacy/mask";
import { stepPattern } from "../engine/steps/step-pattern";
import { isSampled, type TraceText, traceparentOf } from "../engine/traces/trace-context";
import { isChosen } from "../engine/traces/trace-ratio";
import { parseOwnInParts } from "../engine/values/parse-in-parts";
import { serializeError } from "../engine/values/serialized-error";
import type { Workflow } from "../engine/workflows/workflow";
import type { OpenCompensation } from "../store/compensations/next-compensation";
import type { ClaimedRun, ClaimedStep } from "../store/workers/claim-runs";
import { SpanAlone } from "./span-alone";
import { chosenSpanId, chosenTraceId, startSpanId } from "./span-ids";
import {
  begin,
  contextOf,
  endSpan,
  fail,
  type SpanError,
  spanContextOf,
  startSpan,
  takesChosenIds,
  textOf,
  tracer,
} from "./tracing";
import { UnsampledRun } from "./unsampled-run";

/** What a span says of a step, and of which attempt. */
interface TracedStep {
  plan: { name: string; kind: string };
  generation: number;
  attempt: number;
  startedMsAgo: number;
}

/** Of names, which steps may make from data, and of messages: characters. */
const MAX_BASE = 60;
const MAX_STEP = 200;
const MAX_ERROR_NAME = 100;
const MAX_MESSAGE = 500;

/*
 * The spans of one claim. All spans of a run are in the trace of its start. Claims and steps are children of the start, and steps
 * never of claims: a claim that is killed exports nothing, and all of its steps would have a parent that never comes. What
 * was open when a worker died is exported by the next claim in its place, under the same ids (span-ids.ts).
 */
export class ClaimTrace {
  /** Of the span of the claim, for the record that ends it. */
  readonly text: TraceText;
  private readonly span: Span;
  /** Lost attempts that this claim has exported. */
  private readonly restored = new Set<string>();
  private hidden: HiddenText | undefined;
  private readonly names = new Map<string, string>();

  private constructor(
    private readonly tracer: Tracer,
    /** The spans of the run begin in it. */
    private readonly root: Context,
    private readonly run: ClaimedRun,
    workerId: number,
    private readonly masked: readonly string[],
    /** Whether payloads are encrypted. */
    private readonly sealed: boolean,
  ) {
    const { id, workflow, version, epoch, generation } = run;
    this.span = this.begin(`claim ${workflow}`, `claim ${epoch}`, {
      kind: SpanKind.CONSUMER,
      links: linksTo(run.trace, run.claimTrace),
      attributes: {
        "handrail.workflow.name": workflow,
        "handrail.workflow.version": version,
        "handrail.run.id": id,
        "handrail.run.generation": generation,
        "handrail.claim.epoch": epoch,
        "handrail.worker.id": workerId,
      },
    });
    this.text = textOf(this.span.spanContext());
    if (this.followsLoss) this.span.addEvent("claim lost", { "handrail.claim.lost": run.lostClaims });
  }

  /**
   * Gives the claim its trace, unless tracing is off. Of a run whose trace is not sampled no spans are made, and what its code
   * does belongs to that trace.
   * @param ratio of the SDK's sampler, where it is known: then only the runs that it chooses cost the sampler's time
   */
  static begin(
    claim: { run: ClaimedRun; workerId: number; root: Context | undefined; trace: ClaimTrace | undefined },
    { masked }: Pick<Workflow, "masked">,
    sealed: boolean,
    ratio: number | null,
  ): void {
    const on = tracer();
    if (!on) return;
    if (isLeftOut(claim.run, ratio)) {
      claim.root = new UnsampledRun(claim.run);
      return;
    }
    claim.root = rootOf(on, claim.run);
    const flags = trace.getSpanContext(claim.root)?.traceFlags ?? TraceFlags.NONE;
    if ((flags & TraceFlags.SAMPLED) !== 0)
      claim.trace = new ClaimTrace(on, claim.root, claim.run, claim.workerId, masked, sealed);
  }

  /** The claims before this one were lost with their workers. */
  get followsLoss(): boolean {
    return this.run.lostClaims > 0;
  }

  /** The run ends with this error. */
  failed(thrown: unknown): void {
    fail(this.span, this.describe(thrown));
  }

  end(outcome: string): void {
    this.span.setAttribute("handrail.outcome", outcome);
    endSpan(this.span);
  }

  /** From the begin of an attempt to the record of its outcome. */
  step(step: TracedStep): TracedSpan {
    return this.ofStep("step", step);
  }

  attempt(step: TracedStep, parent: TracedSpan): TracedSpan {
    return this.ofStep("attempt", step, { parent: parent.context });
  }

  /** From its BEGIN to its COMMIT, within an attempt; repeated in a conflict with other transactions. */
  transaction(step: TracedStep): TracedSpan {
    const attributes = { "db.system.name": "postgresql", ...this.about(step) };
    return this.traced(this.start(`transaction ${this.baseOf(step.plan.name)}`, { kind: SpanKind.CLIENT, attributes }));
  }

  compensation(compensation: OpenCompensation): TracedSpan {
    return this.ofStep("compensation", compensating(compensation));
  }

  /** A provider is asked about an attempt with an unknown outcome. */
  reconcile(step: TracedStep): TracedSpan {
    const parent = this.root;
    return this.traced(
      this.start(`reconcile ${this.baseOf(step.plan.name)}`, { attributes: this.about(step) }, parent),
      parent,
    );
  }

  /** A sleep, a wait or a child, once it is over: from its begin, in whichever claim that was. `error`: as its row keeps it. */
  waited(step: TracedStep, error: string | null, cause: TraceText | null): void {
    const span = this.ofStep("step", step, { startTime: Date.now() - step.startedMsAgo, links: linksTo(cause) });
    if (error === null) span.end("completed");
    else span.end("failed", Object.assign(new Error(), { name: (JSON.parse(error) as { name: string }).name }));
  }

  /** The start of a child; returns what the child keeps. After a lost claim once more: it may not have been exported. */
  childStart({ plan, generation }: TracedStep, workflow: string, childId: string): TraceText {
    const span = this.begin(`start ${workflow}`, `child ${childId}`, {
      kind: SpanKind.PRODUCER,
      attributes: {
        "handrail.workflow.name": workflow,
        "handrail.run.id": childId,
        "handrail.run.parent_id": this.run.id,
        "handrail.run.parent_generation": generation,
        "handrail.step.name": this.stepName(plan.name),
      },
    });
    endSpan(span);
    return textOf(span.spanContext());
  }

  /** An attempt whose worker died with its spans. */
  lostStep(row: ClaimedStep): void {
    if (this.restored.has(row.name)) return;
    this.restored.add(row.name);
    const step = { ...row, plan: row };
    const startTime = Date.now() - row.startedMsAgo;
    const outer = this.ofStep("step", step, { startTime });
    this.ofStep("attempt", step, { startTime, parent: outer.context }).lost();
    outer.lost();
  }

  /** @param next the attempt after it */
  lostCompensation(next: OpenCompensation): void {
    this.ofStep("compensation", { ...compensating(next), attempt: next.attempt - 1 }).lost();
  }

  private ofStep(
    what: "step" | "attempt" | "compensation",
    step: TracedStep,
    { parent = this.root, ...options }: SpanOptions & { parent?: Context } = {},
  ): TracedSpan {
    const { plan, generation, attempt } = step;
    const id = `${what} ${generation} ${attempt} ${plan.name}`;
    const span = this.begin(
      `${what} ${this.baseOf(plan.name)}`,
      id,
      { ...options, attributes: this.about(step) },
      parent,
    );
    return this.traced(span, parent);
  }

  private traced(span: Span, parent = context.active()): TracedSpan {
    return new TracedSpan(span, trace.setSpan(parent, span), this.describe);
  }

  /** Written out: a spread of such keys takes longer than the span itself. */
  private about({ plan, attempt }: TracedStep) {
    const { id, workflow, version, generation, epoch } = this.run;
    return {
      "handrail.workflow.name": workflow,
      "handrail.workflow.version": version,
      "handrail.run.id": id,
      "handrail.run.generation": generation,
      "handrail.claim.epoch": epoch,
      "handrail.step.name": this.stepName(plan.name),
      "handrail.step.kind": plan.kind,
      "handrail.step.attempt": attempt,
    };
  }

  private begin(name: string, id: string, options: SpanOptions, parent = this.root): Span {
    return begin({ tracer: this.tracer, name, options, parent }, { spanId: chosenSpanId(this.run.id, id) });
  }

  private start(name: string, options: SpanOptions, parent = context.active()): Span {
    return startSpan(this.tracer, name, options, parent);
  }

  /** As it is stored, since those of an app need not be texts. Its message only where nothing of a run is secret: that may hold any of it. */
  private readonly describe = (thrown: unknown): SpanError => {
    const error = thrown instanceof Error ? serializeError(thrown) : null;
    const name = this.shown(error?.name ?? typeof thrown).slice(0, MAX_ERROR_NAME);
    const isSecret = this.masked.length > 0 || this.sealed;
    return isSecret || !error ? { name } : { name, message: error.message.slice(0, MAX_MESSAGE) };
  };

  private stepName(name: string): string {
    return this.masked.length > 0 ? this.baseOf(name) : name.slice(0, MAX_STEP);
  }

  /** Of a step, without its data: names of spans are few. */
  private baseOf(name: string): string {
    const known = this.names.get(name) ?? stepPattern(this.shown(name)).slice(0, MAX_BASE);
    this.names.set(name, known);
    return known;
  }

  /** Names may be made from data, too: without what the workflow masks of the run's input. */
  private shown(name: string): string {
    if (this.masked.length === 0) return name;
    this.hidden ??= hiddenText(inOneGo(secretsInParts(inOneGo(parseOwnInParts(this.run.input)), maskOf(this.masked))));
    return this.hidden.hideIn(name);
  }
}

/** A span that has begun. */
export class TracedSpan {
  private outcome = "completed";

  constructor(
    private readonly span: Span,
    /** In which it is active. */
    readonly context: Context,
    private readonly describe: (thrown: unknown) => SpanError,
  ) {}

  get traceparent(): string {
    return traceparentOf(textOf(this.span.spanContext()));
  }

  /** It ends as failed, unless its end says otherwise. */
  fail(thrown: unknown): void {
    this.outcome = "failed";
    fail(this.span, this.describe(thrown));
  }

  end(outcome = this.outcome, thrown?: unknown): void {
    if (thrown !== undefined) this.fail(thrown);
    this.span.setAttribute("handrail.outcome", outcome);
    endSpan(this.span);
  }

  /** When it ended is not known. */
  lost(): void {
    this.span.addEvent("attempt lost");
    this.end("lost", WORKER_LOST);
  }
}

/** A run whose start brought no trace is decided in its first claim; the SDK's sampler is not asked where its ratio is known. */
function isLeftOut({ id, trace: kept, claimTrace }: ClaimedRun, ratio: number | null): boolean {
  if (kept !== null) return !isSampled(kept);
  return ratio !== null && takesChosenIds() && claimTrace === null && !isChosen(chosenTraceId(id), ratio);
}

/** A run whose start brought no trace has one made of its id, the same in every claim. */
function rootOf(
  tracer: Tracer,
  { id, workflow, version, trace: kept, claimTrace, createdAt: startTime }: ClaimedRun,
): Context {
  if (kept !== null) return contextOf(kept);
  const traceId = chosenTraceId(id);
  const attributes = {
    "handrail.workflow.name": workflow,
    "handrail.workflow.version": version,
    "handrail.run.id": id,
  };
  const options = { root: true, kind: SpanKind.PRODUCER, startTime, attributes };
  const root = begin(
    { tracer, name: `start ${workflow}`, options, parent: ROOT_CONTEXT },
    { traceId, spanId: startSpanId(id) },
  );
  // An SDK without Handrail's id generator chose another one: the trace of the claim before goes on.
  const begun = root.spanContext();
  if (claimTrace !== null && begun.traceId !== traceId) return contextOf(claimTrace);
  if (begun.traceId !== traceId && !isSpanContextValid(begun)) return ROOT_CONTEXT;
  if (claimTrace === null) endSpan(root, startTime);
  return new SpanAlone(root);
}

const WORKER_LOST = Object.assign(new Error("The worker was lost."), { name: "worker_lost" });

const compensating = ({ step, generation, attempt }: OpenCompensation): TracedStep => ({
  plan: { name: step, kind: "compensation" },
  generation,
  attempt,
  startedMsAgo: 0,
});

function linksTo(...texts: readonly (TraceText | null)[]): Link[] {
  return texts.flatMap((text) => {
    const linked = text === null ? undefined : spanContextOf(text);
    return linked ? [{ context: linked }] : [];
  });
}
