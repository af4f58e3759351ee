/** What `import … from "handrail/otel"` gives, for an app's OpenTelemetry SDK. It loads nothing else of Handrail. */
export { spanIds } from "../traces/span-ids";
