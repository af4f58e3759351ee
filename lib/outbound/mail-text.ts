import type { Message } from "../engine/notices/delivery";

/** An event as a message describes it. */
interface EventText {
  sentence: string;
  url: string;
  runId: string | null;
}

const FEET: Partial<Record<string, string>> = {
  test: "This test was requested in Handrail.",
  report: "A person sent this report from Handrail.",
};

/** The same in plain text and in HTML without images, style sheets or fixed widths. */
export function mailOf({ type, timestamp, data }: Message): { text: string; html: string } {
  const given = data as EventText & { events?: EventText[]; more?: number; runbook?: string };
  const events = given.events ?? [given];
  const more = given.more ?? 0;
  const foot = FEET[type] ?? "Sent by Handrail. An admin chooses the recipients in Settings.";
  const rest = more > 0 ? `And ${more} more, in the console.` : null;
  const around = { rest, foot, url: given.url, runbook: given.runbook ?? null, at: timestamp };
  return { text: textOf(events, around), html: htmlOf(events, around) };
}

interface Around {
  rest: string | null;
  foot: string;
  url: string;
  runbook: string | null;
  at: string;
}

function textOf(events: readonly EventText[], { rest, foot, url, runbook, at }: Around): string {
  const paragraphs = events.map((event) => `${event.sentence}.\n${event.url}`);
  const last = rest === null ? [] : [`${rest}\n${url}`];
  const page = runbook === null ? [] : [`Runbook: ${runbook}`];
  return [...paragraphs, ...last, ...page, `${at}\n${foot}`].join("\n\n");
}

const PARAGRAPH = "margin:0 0 16px;font:16px/1.5 system-ui,sans-serif";
const LINK =
  "display:inline-block;padding:10px 16px;border-radius:6px;background:#2f5bd7;color:#ffffff;text-decoration:none";

function htmlOf(events: readonly EventText[], { rest, foot, url, runbook, at }: Around): string {
  const paragraphs = events.map(
    (event) =>
      `<p style="${PARAGRAPH}"><strong>${escaped(event.sentence)}.</strong></p>` +
      `<p style="${PARAGRAPH}"><a href="${escaped(event.url)}" style="${LINK}">Open in Handrail</a></p>`,
  );
  const last = rest === null ? "" : `<p style="${PARAGRAPH}"><a href="${escaped(url)}">${escaped(rest)}</a></p>`;
  const page = runbook === null ? "" : `<p style="${PARAGRAPH}"><a href="${escaped(runbook)}">Runbook</a></p>`;
  const small = `<p style="margin:24px 0 0;font:13px/1.5 system-ui,sans-serif;color:#555555">${escaped(at)}<br>${escaped(foot)}</p>`;
  return `<!doctype html><html lang="en"><body style="margin:0;padding:20px">${paragraphs.join("")}${last}${page}${small}</body></html>`;
}

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (letter) => ENTITIES[letter] as string);
