import type { Condition, ConditionCode } from "@assay/schemas"
import { guardrailReports, type GuardrailReportsInput } from "./guardrail-reports.ts"

/** What no single row shows; the rest is found in the rows as they come. */
const OF_ALL_ROWS: ReadonlySet<string> = new Set<ConditionCode>(["judge_overblocks", "judge_underblocks"])

/**
 * That the guardrail of a `content_safety` job blocks too much, or misses too much; nothing of other jobs.
 * @param now milliseconds since 1970, UTC
 */
export async function findGuardrailConditions(
  input: GuardrailReportsInput,
  now: () => number,
): Promise<readonly Condition[]> {
  const found: Condition[] = []
  for await (const { conditions } of guardrailReports(input)) {
    for (const { code, judge, title, message, evidence, remedy, count } of conditions) {
      if (!isOfAllRows(code)) continue
      const at = new Date(now()).toISOString()
      const told = `${judge}: ${message}`
      found.push({ code, title, message: told, evidence: [...evidence], remedy, count, first_seen: at, last_seen: at })
    }
  }
  return found
}

function isOfAllRows(code: string): code is ConditionCode {
  return OF_ALL_ROWS.has(code)
}
