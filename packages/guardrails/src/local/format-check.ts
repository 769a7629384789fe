import { cutLine, tone, toneOf } from "@assay/reports/terminal"
import { printable } from "@assay/schemas"
import type { CheckedPrompt, CheckedRail, PromptToCheck } from "../judge.ts"

/** Characters of a message that are shown. */
const SHOWN_TEXT = 100

const WORDS = { success: "passes", blocked: "BLOCKED", unknown: "OPEN" } as const

/** Formats a check for people: the outcome and the message, then a line for each rail with its reasons. */
export function formatCheck({ prompt, response }: PromptToCheck, { status, rails }: CheckedPrompt): string {
  const answer = response === undefined ? "" : ` → ${shown(response)}`
  const lines = rails.map(({ rail }) => `         ${formatRail(rail)}`)
  return `${tone(toneOf(status), WORDS[status].padEnd(7))}  ${shown(prompt)}${answer}\n${lines.map((line) => `${line}\n`).join("")}`
}

/** Formats what a rail found: `content safety check input: blocked, unsafe (Violence), 120 ms`. */
export function formatRail(rail: CheckedRail["rail"]): string {
  const { name, status, verdict, unreadable, policy, error, reason, latency_ms } = rail
  const safety = verdict?.response_safety ?? verdict?.user_safety
  const categories = verdict?.categories.map(({ raw }) => raw).join(", ") ?? ""
  const parts = [
    { success: "passes", blocked: "blocked", unknown: "open" }[status],
    ...(safety == null ? [] : [categories === "" ? safety : `${safety} (${categories})`]),
    ...(unreadable === null ? [] : [`the judge's answer can't be read: ${unreadable.reason}`]),
    ...(error === null ? [] : [`${error.code}: ${error.message}`]),
    ...(reason === undefined ? [] : [reason.replace(/\.$/, "")]),
    ...(policy === null ? [] : [`decided by ${policy}`]),
    `${Math.round(latency_ms)} ms`,
  ]
  return printable(`${name}: ${parts.join(", ")}`)
}

function shown(text: string): string {
  return printable(cutLine(text, SHOWN_TEXT))
}

/** Returns a check as the record that programs read: the first verdict, the message and what each rail found. */
export function recordOfCheck({ prompt, response }: PromptToCheck, { status, rails: checked }: CheckedPrompt): object {
  const rails = checked.map(({ rail }) => rail)
  const verdict = rails.find((rail) => rail.verdict !== null)?.verdict
  return {
    status,
    user_safety: verdict?.user_safety ?? null,
    response_safety: verdict?.response_safety ?? null,
    categories: verdict?.categories.map(({ raw }) => raw) ?? [],
    prompt,
    ...(response === undefined ? {} : { response }),
    rails,
  }
}
