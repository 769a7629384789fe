import { formatScore, verdictWord } from "@assay/reports"
import { AssayError, messageOf, printable } from "@assay/schemas"
import { compileTemplate } from "@assay/templates"
import type { WebhookMessage } from "./webhook-message.ts"

/** Formats a message as the JSON that is sent. */
export type FormatBody = (message: WebhookMessage) => string

const SETTING = "ASSAY_WEBHOOK_TEMPLATE"
const MAX_LINES = 10
const MAX_TEXT = 300

/**
 * Returns the format that a setting names: `event` (the message itself), `slack` (`{"text": …}`), or a Jinja template that makes
 * JSON of the fields of the message.
 * @throws `bad_settings` for a template that is wrong, or that makes no JSON
 */
export function webhookBody(template: string): FormatBody {
  if (template === "event") return (message) => JSON.stringify(message)
  if (template === "slack") return slackBody
  if (!template.includes("{{")) {
    const shown = `${SETTING} '${printable(template)}' is not a format`
    throw new AssayError(
      "bad_settings",
      `${shown}: write event, slack, or a template such as {"text": {{ data.name | tojson }}}.`,
    )
  }
  const format = templateBody(template)
  for (const sample of SAMPLES) format(sample)
  return format
}

function templateBody(template: string): FormatBody {
  const refuse = (cause: unknown, what: string) =>
    new AssayError("bad_settings", `${SETTING} ${what}: ${messageOf(cause)}`, { cause })
  const compiled = attempt(
    () => compileTemplate(template),
    (cause) => refuse(cause, "is not a template"),
  )
  return (message) => {
    const text = attempt(
      () => compiled.render({ ...message }),
      (cause) => refuse(cause, "can't be filled in"),
    )
    const hint = "does not make JSON; write texts as {{ data.name | tojson }}, without quotes around them"
    attempt(
      () => JSON.parse(text) as unknown,
      (cause) => refuse(cause, hint),
    )
    return text
  }
}

function attempt<T>(work: () => T, describe: (cause: unknown) => AssayError): T {
  try {
    return work()
  } catch (cause) {
    throw describe(cause)
  }
}

/** Formats a message for Slack and chats with the same form: verdict, name, gates or scores, and a link. */
function slackBody({ data }: WebhookMessage): string {
  const { workspace, name, status, verdict, message, gates, scores, url } = data
  const title = `${slackText(workspace)}/${slackText(name)}`
  const linked = url === null ? title : `<${url}|${title.replaceAll("|", "¦")}>`
  const lines =
    gates.length > 0
      ? gates.map((gate) => `${gate.name} ${gate.limit}: ${formatScore(gate.value)}, ${verdictWord(gate.verdict)}`)
      : scores.map((score) => `${score.name}: ${formatScore(score.value)}${rangeOf(score)}`)
  const left = lines.length - MAX_LINES
  const text = [
    `${SIGNS[verdict ?? status] ?? ""} *${verdict ?? status}* ${linked}`.trimStart(),
    ...(status === "COMPLETED" ? [] : [slackText(message)]),
    ...lines.slice(0, MAX_LINES).map((line) => `• ${slackText(line)}`),
    ...(left > 0 ? [`… ${left} more`] : []),
  ].join("\n")
  return JSON.stringify({ text })
}

const SIGNS: Readonly<Record<string, string>> = {
  PASS: "✅",
  FAIL: "❌",
  FAILED: "❌",
  INCONCLUSIVE: "⚠️",
}

function rangeOf({ low, high }: WebhookMessage["data"]["scores"][number]): string {
  return low === null || high === null ? "" : ` (${formatScore(low)} to ${formatScore(high)})`
}

/** Escapes a text as Slack asks, so that it can't make links or call people, and shows control characters. */
function slackText(text: string): string {
  const line = printable(text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT - 1)}…` : text).toWellFormed()
  return line.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")
}

const SAMPLE: WebhookMessage = {
  id: "msg_eval-sample_0",
  type: "evaluation.job.ended",
  timestamp: "2026-01-01T00:00:00.000Z",
  data: {
    workspace: "default",
    job: "eval-sample",
    name: 'a "name"\nof two lines',
    status: "COMPLETED",
    message: "",
    attempt: 1,
    verdict: "PASS",
    gates: [{ name: "task.metric.score", limit: ">= 0.8", value: 0.9, verdict: "PASS" }],
    scores: [{ name: "task.metric.score", value: 0.9, low: 0.85, high: 0.95 }],
    scores_total: 1,
    url: "http://127.0.0.1/jobs/eval-sample",
  },
}

/** A template has to fit messages with everything, and those with nothing. */
const SAMPLES: readonly WebhookMessage[] = [
  SAMPLE,
  { ...SAMPLE, data: { ...SAMPLE.data, verdict: null, gates: [], scores: [], scores_total: 0, url: null } },
]
