import { Callout } from "@/components/ui/feedback/callout";
import { Copyable } from "@/components/ui/text/copyable";
import type { ApiError } from "@/lib/api/client/client";

/** The server's sentence, the fields it names, and the request's id for the log. */
export function ActError({ error }: { error: ApiError }) {
  const issues = issuesOf(error.details);
  return (
    <Callout role="alert" tone="red" title={error.message}>
      {issues.length > 0 && (
        <ul className="mt-1 list-disc pl-4">
          {issues.map((issue) => (
            <li key={`${issue.path} ${issue.message}`}>
              {issue.path && <span className="font-mono text-small">{issue.path}: </span>}
              {issue.message}
            </li>
          ))}
        </ul>
      )}
      {error.requestId && (
        <p className="mt-1 flex flex-wrap items-center gap-1 text-ink-2 text-small">
          Request <Copyable text={error.requestId} what="the request's id" />
        </p>
      )}
    </Callout>
  );
}

interface Issue {
  path: string;
  message: string;
}

function issuesOf(details: Record<string, unknown>): Issue[] {
  const { issues } = details;
  if (!Array.isArray(issues)) return [];
  return issues.map((issue: { path?: unknown; message?: unknown }) => ({
    path: Array.isArray(issue.path) ? issue.path.join(".") : String(issue.path ?? ""),
    message: String(issue.message ?? ""),
  }));
}
