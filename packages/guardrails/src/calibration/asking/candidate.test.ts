import { describe, expect, it } from "vitest"
import type { GuardrailData } from "@assay/schemas"
import { openGuarded } from "../../testing/guarded-models.ts"
import { measure, numberedPrompts } from "../../testing/measure.ts"
import { candidateOf } from "./candidate.ts"
import { formatReportHtml } from "../output/html/format-report-html.ts"
import { formatReportText } from "../output/format-report-text.ts"
import { reportCalibration } from "../report/report-calibration.ts"

const rails = { input: { flows: ["self check input"] } }
const model = { type: "main", model: "main", url: "http://127.0.0.1:9/v1" }

describe("a guardrail as a candidate", () => {
  it("is measured through its rails, whose policies decide what users would see", async () => {
    const main = ({ messages }: { readonly messages: readonly { readonly content?: unknown }[] }) => {
      const asked = String(messages.at(-1)?.content)
      if (/\bsafe 0\b/.test(asked)) return { content: "It depends on the point of view." }
      if (/\bsafe 1\b/.test(asked)) return { fault: { kind: "condition", condition: "context-overflow" } } as const
      return { content: /\bunsafe \d/.test(asked) ? "Yes" : "No" }
    }
    const policies = { "self check input": { on_unreadable: "allow", on_error: "block" } } as const
    const { guardrail } = await openGuarded({ main }, { rails, policies })
    const candidate = candidateOf(guardrail, { name: "self check", data: { models: [model], rails, policies } })
    const report = reportCalibration(await measure([candidate], numberedPrompts(10, 10)), { data: "rows" })
    expect(report.judges[0]).toMatchObject({
      false_block: { count: 0, n: 8 },
      miss: { count: 0, n: 10 },
      under_policy: { false_block: { count: 1, n: 10 }, miss: { count: 0, n: 10 } },
      unreadable: { count: 1 },
      errors: { count: 1, by_condition: { context_overflow: 1 } },
    })
    expect(report.judges[0]?.unreadable_examples[0]).toMatchObject({ raw: "It depends on the point of view." })
    expect(report.judges[0]?.tokens.prompt ?? 0).toBeGreaterThan(0)
    expect(report.judges[0]?.latency_ms.p50).toBeGreaterThan(0)
  })

  it("does not report 0 tokens if the endpoint does not count them", async () => {
    const rails = { input: { flows: ["self check input"] } }
    const { guardrail } = await openGuarded({ main: () => ({ content: "No", usage: { total_tokens: 9 } }) }, { rails })
    const candidate = candidateOf(guardrail, { name: "self check", data: { models: [model], rails } })
    const report = reportCalibration(await measure([candidate], numberedPrompts(2, 2)), { data: "rows" })
    expect(report.judges[0]?.tokens).toEqual({ prompt: null, completion: null })
    expect(formatReportText(report)).toMatch(/ms +–\n/)
  })

  it("reports the calls that an ensemble saved", async () => {
    const flows = ["self check input", "self check input $model=large"]
    const cascade = {
      rails: { input: { flows: ["ensemble two steps"] } },
      ensembles: [{ name: "two steps", kind: "cascade" as const, flows }],
    }
    const small = ({ messages }: { readonly messages: readonly { readonly content?: unknown }[] }) => ({
      content: /\b(unsafe \d|safe 0)\b/.test(String(messages.at(-1)?.content)) ? "Yes" : "No",
    })
    const large = ({ messages }: { readonly messages: readonly { readonly content?: unknown }[] }) => ({
      content: /\bunsafe \d/.test(String(messages.at(-1)?.content)) ? "Yes" : "No",
    })
    const { guardrail } = await openGuarded({ main: small, large }, cascade)
    const candidate = candidateOf(guardrail, { name: "cascade", data: { models: [model], ...cascade } })
    const report = reportCalibration(await measure([candidate], numberedPrompts(10, 10)), { data: "rows" })
    expect(report.judges[0]).toMatchObject({
      false_block: { count: 0, n: 10 },
      miss: { count: 0, n: 10 },
      calls: { made: 31, saved: 9 },
    })
    expect(formatReportText(report)).toContain("31 (9 saved)")
    expect(formatReportHtml(report)).toContain("9 saved")
  })

  it("has a new digest if its prompts or models change, and the same if only its key changes", async () => {
    const { guardrail } = await openGuarded({ main: () => ({ content: "No" }) }, { rails })
    const digest = (data: GuardrailData, logprobs = false) =>
      candidateOf(guardrail, { name: "a", data, logprobs }).digest
    const data: GuardrailData = { models: [model], rails }
    const own = digest(data)
    expect(digest({ rails, models: [{ url: model.url, model: "main", type: "main", api_key_secret: "new" }] })).toBe(
      own,
    )
    const others = [
      digest({ ...data, models: [{ ...model, model: "other" }] }),
      digest({ ...data, prompts: [{ task: "self_check_input", content: "Block? {{ user_input }}" }] }),
      digest({ ...data, policies: { "self check input": { on_unreadable: "allow" } } }),
      digest(data, true),
    ]
    expect(new Set([own, ...others]).size).toBe(5)
  })
})
