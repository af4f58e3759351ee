import { type Context, TraceFlags, trace } from "@opentelemetry/api";
import type { ClaimedRun } from "../store/workers/claim-runs";
import { SpanAlone } from "./span-alone";
import { chosenTraceId, startSpanId } from "./span-ids";
import { contextOf } from "./tracing";

/**
 * The context of a run whose trace is not sampled, so that what its bodies call is not sampled either. Most runs of a busy
 * installation are such, and few of them ask: it is made when somebody does.
 */
export class UnsampledRun implements Context {
  private made: Context | undefined;

  constructor(private readonly run: Pick<ClaimedRun, "id" | "trace">) {}

  private get context(): Context {
    const { id, trace: kept } = this.run;
    this.made ??=
      kept === null
        ? new SpanAlone(
            trace.wrapSpanContext({ traceId: chosenTraceId(id), spanId: startSpanId(id), traceFlags: TraceFlags.NONE }),
          )
        : contextOf(kept);
    return this.made;
  }

  getValue(key: symbol): unknown {
    return this.context.getValue(key);
  }

  setValue(key: symbol, value: unknown): Context {
    return this.context.setValue(key, value);
  }

  deleteValue(key: symbol): Context {
    return this.context.deleteValue(key);
  }
}
