import type { ActivatedRail, ChatMessage, CheckStatus, RailDecision, RailPolicy } from "@assay/schemas"
import type { JudgeAnswer } from "../judge.ts"
import type { RailPlace } from "../verdict-reading.ts"
import { contentText, type RailFinding, type RailOutcome } from "./rail.ts"

const STATUS_OF: Readonly<Record<RailDecision, CheckStatus>> = { block: "blocked", allow: "success", error: "unknown" }
const DEFAULTS: Readonly<Required<RailPolicy>> = {
  on_unreadable: "block",
  on_controversial: "block",
  on_error: "error",
}

/** Applies a policy to a finding. Returns the status, and the name of the policy if the policy decides. */
export function decide(
  finding: RailFinding,
  policy: RailPolicy | undefined,
): { readonly status: CheckStatus; readonly policy: string | null; readonly decision: RailDecision } {
  if (finding === "safe") return { status: "success", policy: null, decision: "allow" }
  if (finding === "unsafe") return { status: "blocked", policy: null, decision: "block" }
  const key = `on_${finding}` as const
  const decision = policy?.[key] ?? DEFAULTS[key]
  return { status: STATUS_OF[decision], policy: `${key}=${decision}`, decision }
}

/** Returns the outcome of a rail with one judge. */
export function outcomeOf(
  name: string,
  {
    answer,
    place,
    policy,
  }: { readonly answer: JudgeAnswer; readonly place: RailPlace; readonly policy: RailPolicy | undefined },
): RailOutcome {
  const finding = findingOf(answer, place)
  const decided = decide(finding, policy)
  const rail: ActivatedRail = {
    name,
    status: decided.status,
    verdict: answer.reading?.verdict ?? null,
    unreadable: answer.reading?.unreadable ?? null,
    policy: decided.policy,
    error: answer.error === null ? null : { code: answer.error.code, message: answer.error.message },
    latency_ms: answer.latencyMs,
    usage: answer.usage,
    ...(answer.prompt === undefined ? {} : { prompt: answer.prompt.map(shownMessage) }),
  }
  return { rail, finding, failure: decided.decision === "error" ? answer.error : null, answers: [answer] }
}

function shownMessage({ role, content }: ChatMessage): { role: string; content: string } {
  return { role, content: contentText(content) }
}

/** Returns what a judge's answer says about the side that the rail judges. */
function findingOf({ reading }: JudgeAnswer, place: RailPlace): RailFinding {
  if (reading === null) return "error"
  return (place === "input" ? reading.verdict?.user_safety : reading.verdict?.response_safety) ?? "unreadable"
}
