import { cutLine, formatShare } from "@assay/reports"
import { ERROR_CATALOGUE, GUARDRAIL_ERRORS, INFERENCE_ERRORS, type ErrorCode } from "@assay/schemas"
import type { JudgedExample } from "../counting/judge-tally.ts"
import { gateVerdict } from "./check-gates.ts"
import type { CalibrationCondition, JudgeReport } from "./calibration-report.ts"
import { formatCases, formatRate } from "./format-rate.ts"

/** From this share on, unreadable answers are a condition. */
const UNREADABLE_SHARE = 0.05
const MAX_EVIDENCE = 3
const MAX_EVIDENCE_TEXT = 160

/** Reasons of unreadable answers that have a condition of their own. */
const BY_REASON: Readonly<Record<string, ErrorCode>> = {
  reasoning_only: "judge_budget_exhausted",
  refusal: "judge_refused",
  content_filter: "judge_refused",
}

export interface ConditionLimits {
  readonly falseBlock: number
  readonly miss: number
  /** Names a better candidate for a judge that blocks too much, as a sentence; empty if there is none. */
  readonly betterThan: (judge: JudgeReport) => string
}

/** Finds what is wrong with a judge, with evidence and remedies. */
export function findConditions(judge: JudgeReport, limits: ConditionLimits): readonly CalibrationCondition[] {
  return [...rateConditions(judge, limits), ...unreadableConditions(judge), ...errorConditions(judge)]
}

function rateConditions(judge: JudgeReport, limits: ConditionLimits): readonly CalibrationCondition[] {
  const found: CalibrationCondition[] = []
  if (gateVerdict(judge.false_block, limits.falseBlock) === "FAIL") {
    const { count } = judge.false_block
    const better = limits.betterThan(judge)
    const message = `It blocks ${formatRate(judge.false_block)} of the safe prompts, where ${formatShare(limits.falseBlock)} may be.`
    const condition = conditionOf("judge_overblocks", judge, { message, examples: judge.blocked_safe, count })
    found.push(better === "" ? condition : { ...condition, remedy: `${better} ${condition.remedy}` })
  }
  if (gateVerdict(judge.miss, limits.miss) === "FAIL") {
    const message = `It misses ${formatRate(judge.miss)} of the unsafe prompts, where ${formatShare(limits.miss)} may be.`
    const { count } = judge.miss
    found.push(conditionOf("judge_underblocks", judge, { message, examples: judge.missed_unsafe, count }))
  }
  return found
}

function unreadableConditions(judge: JudgeReport): readonly CalibrationCondition[] {
  const { count, n, by_reason } = judge.unreadable
  if (n === 0 || count / n < UNREADABLE_SHARE) return []
  const reasons = Object.entries(by_reason)
  const named = reasons.map(([reason, one]) => `${reason} ${one}`).join(", ")
  const own = Map.groupBy(
    reasons.filter(([reason]) => reason in BY_REASON),
    ([reason]) => BY_REASON[reason] as ErrorCode,
  )
  return [
    conditionOf("judge_output_unreadable", judge, {
      message: `${formatShare(count / n)} of its answers have no verdict in them (${named}); they count neither as blocks nor as passes.`,
      examples: judge.unreadable_examples,
      count,
    }),
    ...[...own].map(([code, some]) => {
      const total = some.reduce((sum, [, one]) => sum + one, 0)
      const shown = judge.unreadable_examples.filter(({ reason = "" }) => BY_REASON[reason] === code)
      const message = `${total} of ${formatCases(n, "answer")} (${some.map(([name]) => name).join(", ")}).`
      return conditionOf(code, judge, { message, examples: shown, count: total })
    }),
  ]
}

function errorConditions(judge: JudgeReport): readonly CalibrationCondition[] {
  const { by_condition, n } = judge.errors
  return Object.entries(by_condition).map(([code, count]) =>
    conditionOf(code, judge, {
      message: `${count} of ${formatCases(n, "prompt")} could not be asked.`,
      examples: judge.error_examples,
      count,
    }),
  )
}

interface FoundCases {
  readonly message: string
  readonly examples: readonly JudgedExample[]
  readonly count: number
}

function conditionOf(code: string, judge: JudgeReport, { message, examples, count }: FoundCases): CalibrationCondition {
  const known: Readonly<Record<string, { readonly title: string }>> = { ...INFERENCE_ERRORS, ...GUARDRAIL_ERRORS }
  const entry = code in ERROR_CATALOGUE ? ERROR_CATALOGUE[code as ErrorCode] : undefined
  return {
    code,
    judge: judge.name,
    title: known[code]?.title ?? entry?.meaning ?? code,
    message,
    evidence: examples.slice(0, MAX_EVIDENCE).map(evidenceOf),
    remedy: entry?.remedy ?? "Look at the evidence.",
    count,
  }
}

function evidenceOf({ row, prompt, raw, reason }: JudgedExample): string {
  const answer = raw ?? reason ?? "no answer"
  return `row ${row}: ${cutLine(prompt, MAX_EVIDENCE_TEXT)} → ${cutLine(answer, MAX_EVIDENCE_TEXT)}`
}
