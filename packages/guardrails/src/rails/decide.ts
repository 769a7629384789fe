import type { ActivatedRail, ChatMessage, CheckStatus, RailDecision, RailPolicy, Unreadable } from "@assay/schemas"
import type { JudgeAnswer } from "../judge.ts"
import type { RailDirection, VerdictReading } from "../verdict-reading.ts"
import { contentText, type RailFinding, type RailOutcome } from "./rail.ts"

const STATUS_OF: Readonly<Record<RailDecision, CheckStatus>> = { block: "blocked", allow: "success", error: "unknown" }
const DEFAULTS: Readonly<Required<Omit<RailPolicy, "threshold">>> = {
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
    direction,
    policy,
  }: { readonly answer: JudgeAnswer; readonly direction: RailDirection; readonly policy: RailPolicy | undefined },
): RailOutcome {
  const { finding, reading, decidedBy } = findingOf(answer, direction, policy)
  const decided = decide(finding, policy)
  const rail: ActivatedRail = {
    name,
    status: decided.status,
    verdict: reading?.verdict ?? null,
    unreadable: reading?.unreadable ?? null,
    policy: decided.policy ?? decidedBy,
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

interface Found {
  readonly finding: RailFinding
  readonly reading: VerdictReading | null
  /** Names the threshold if it decides. */
  readonly decidedBy: string | null
}

/**
 * Returns what a judge's answer says about the side that the rail judges. With a threshold, the risk decides instead of the verdict.
 * A missing risk never makes an answer safe: a verdict that blocks still blocks, and any other counts as unreadable.
 */
function findingOf({ reading, risk }: JudgeAnswer, direction: RailDirection, policy: RailPolicy | undefined): Found {
  const verdict = reading?.verdict ?? null
  const safety = direction === "input" ? verdict?.user_safety : verdict?.response_safety
  const finding = reading === null ? "error" : (safety ?? "unreadable")
  const threshold = policy?.threshold
  if (threshold === undefined || reading === null || verdict === null) return { finding, reading, decidedBy: null }
  if (risk !== undefined) {
    return { finding: risk >= threshold ? "unsafe" : "safe", reading, decidedBy: `threshold=${threshold}` }
  }
  if (decide(finding, policy).decision !== "allow") return { finding, reading, decidedBy: null }
  const unreadable: Unreadable = { reason: "no_score", raw: verdict.raw }
  return { finding: "unreadable", reading: { ...reading, verdict: null, unreadable }, decidedBy: null }
}
