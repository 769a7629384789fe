import type { EvaluationRow } from "@assay/schemas"
import { describe, expect, it } from "vitest"
import { journalOf } from "./testing/sample-results.ts"
import { rowOf } from "./testing/tiny-result.ts"
import { readGuardrailFindings } from "./guardrail-reports.ts"

/** Returns a row with a safe prompt that was blocked or not. */
function safe(index: number, isBlocked: boolean): EvaluationRow {
  const response = {
    outcome: isBlocked ? "block" : "pass",
    is_let_through: !isBlocked,
    raw: isBlocked ? '{"User Safety": "unsafe"}' : '{"User Safety": "safe"}',
    latency_ms: 5,
    calls: { made: 1, saved: 0 },
    tokens: null,
  }
  const sample = { output_text: null, response, usage: null, latency_ms: 5, finish_reason: null }
  return rowOf(index, {}, { item: { prompt: `How do I boil ${index} eggs?`, label: "safe" }, sample })
}
const find = async (rows: readonly EvaluationRow[], type: "content_safety" | "custom" = "content_safety") => {
  const { conditions } = await readGuardrailFindings(
    {
      job: { target: { type: "rows" }, config: { type, name: "guard" } },
      journal: journalOf(rows),
      pins: [],
      result: { tasks: { qa: { metrics: {} } }, created_at: "2026-11-20T12:00:00Z" },
    },
    () => 0,
  )
  return conditions
}
const rows = (blocked: number) => Array.from({ length: 100 }, (_, at) => safe(at, at < blocked))

describe("the conditions of a guardrail", () => {
  it("include that it blocks safe prompts, with examples", async () => {
    const [condition, ...others] = await find(rows(30))
    expect(others).toEqual([])
    expect(condition).toMatchObject({ code: "judge_overblocks", count: 30, first_seen: "1970-01-01T00:00:00.000Z" })
    expect(condition?.message).toMatch(/^guard: It blocks 30 % \(21\.9–39\.6 %\) of the safe prompts/)
    expect(condition?.evidence[0]).toContain("How do I boil 0 eggs?")
  })

  it("are empty for a good guardrail, and for a job without a guardrail", async () => {
    expect(await find(rows(1))).toEqual([])
    expect(await find(rows(30), "custom")).toEqual([])
  })

  it("are empty if nothing was judged", async () => {
    const error = { code: "request_timeout", message: "late" }
    expect(await find([rowOf(0, {}, { item: { prompt: "Hello", label: "safe" }, sample: null, error })])).toEqual([])
    expect(await find([])).toEqual([])
  })
})
