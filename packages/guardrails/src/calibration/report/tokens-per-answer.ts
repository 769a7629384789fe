import type { JudgeReport } from "./calibration-report.ts"

/** Formats how many tokens an answer of a judge takes, on average. An unknown number is a dash, not 0. */
export function tokensPerAnswer({
  tokens: { prompt, completion },
  answers,
}: Pick<JudgeReport, "tokens" | "answers">): string {
  if (prompt === null || completion === null || answers === 0) return "–"
  return String(Math.round((prompt + completion) / answers))
}
