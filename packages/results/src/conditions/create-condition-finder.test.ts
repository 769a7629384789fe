import { CONDITION_CODES, CONDITIONS, AssayError, type EvaluationRow } from "@assay/schemas"
import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { createConditionFinder } from "./create-condition-finder.ts"
import { rowOf, unreadableRow } from "../testing/row-of.ts"

function createFinder() {
  let time = Date.UTC(2026, 10, 20, 8)
  return createConditionFinder({ now: () => (time += 1000), tasks: ["qa", "other"] })
}

describe("a condition", () => {
  it("has evidence, remedy, count and times", verifies("condition.evidence"), () => {
    const finder = createFinder()
    for (let row = 0; row < 10; row += 1) {
      const error = row < 7 ? { code: "rate_limited", message: "http://m:1/v1 answers 429; wait." } : null
      finder.addRow(rowOf(row, { error }))
    }
    expect(finder.list()).toEqual([
      {
        code: "rate_limited",
        title: CONDITIONS.rate_limited.title,
        message: "7 of 10 rows: http://m:1/v1 answers 429; wait.",
        evidence: ["task 'qa', row 0: http://m:1/v1 answers 429; wait."],
        remedy: CONDITIONS.rate_limited.remedy,
        count: 7,
        first_seen: "2026-11-20T08:00:01.000Z",
        last_seen: "2026-11-20T08:00:07.000Z",
      },
    ])
  })

  it("is found for every code of the catalogue that an error can have", verifies("condition.catalogue"), () => {
    for (const code of CONDITION_CODES) {
      const finder = createFinder()
      finder.addError(new AssayError(code, "It happened."))
      expect(finder.list()).toMatchObject([{ code, title: CONDITIONS[code].title, count: 1 }])
    }
  })

  it("keeps 5 different lines, each short and without secrets", () => {
    const finder = createFinder()
    for (let row = 0; row < 40; row += 1) {
      const message = `row data ${row % 20} Authorization: Bearer sk-abcdefghijkl ${"x".repeat(5000)}`
      finder.addRow(rowOf(row, { error: { code: "bad_response", message } }))
    }
    const [found] = finder.list()
    expect(found?.evidence).toHaveLength(5)
    expect(new Set(found?.evidence).size).toBe(5)
    expect(Math.max(...(found?.evidence ?? []).map(({ length }) => length))).toBeLessThan(550)
    expect(JSON.stringify(found)).not.toContain("abcdefghijkl")
    expect(found?.count).toBe(40)
  })

  it("of an error that failed a row is counted once, and has the advice of the error", () => {
    const finder = createFinder()
    const context = { url: "http://m:1/v1", model: "chat-9b", advice: "similar names are 'chat-8b'" }
    const error = new AssayError("model_not_found", "http://m:1/v1 answers 404; similar names are 'chat-8b'.", {
      context,
    })
    const row = rowOf(3, { error: { code: error.code, message: error.message } })
    finder.addError(error, { row })
    finder.addRow(row)
    const [found] = finder.list()
    expect(found).toMatchObject({ count: 1, evidence: [expect.stringContaining("task 'qa', row 3")] })
    expect(found?.message).toBe(
      "1 of 1 rows: http://m:1/v1 answers 404; similar names are 'chat-8b' (model 'chat-9b').",
    )
    expect(found?.remedy).toBe(`Similar names are 'chat-8b'. ${CONDITIONS.model_not_found.remedy}`)
  })

  it("is found in the cause of an error, in the system's code and in its words", () => {
    const finder = createFinder()
    const cause = new AssayError("upstream_gated", "It is gated.", {
      context: { storage: "hub", place: "dataset 'a/b'" },
    })
    finder.addError(new AssayError("datastore_unreachable", "Error occurred while checking.", { cause }))
    finder.addError(Object.assign(new Error("no space left on device"), { code: "ENOSPC" }))
    finder.addError(new Error("HTTPSConnectionPool(host='m', port=443): Max retries exceeded (Caused by SSLError())"))
    finder.addError(new Error("something else"))
    expect(finder.list().map(({ code }) => code)).toEqual(["gated_dataset", "disk_full", "inference_tls"])
    expect(finder.list()[0]?.message).toBe("Error occurred while checking. It is gated.")
  })

  it("of a refused launch is listed with those of its checks", verifies("brief.condition.launch-refused"), () => {
    const finder = createFinder()
    const failed_checks = [
      { check: "dataset", code: "dataset_missing", message: "It is not present.", remedy: "Upload it." },
      { check: "endpoint", code: "inference_tls", message: "Self-signed.", remedy: "Trust it." },
    ]
    finder.addError(new AssayError("launch_refused", "Job cannot be launched.", { context: { failed_checks } }))
    expect(finder.list()).toMatchObject([
      { code: "launch_refused" },
      { code: "dataset_missing", remedy: "Upload it." },
      { code: "inference_tls", remedy: "Trust it." },
    ])
  })

  it("of rows that can't be used names their locations", () => {
    const finder = createFinder()
    const fault = (line: number) => ({ code: "rows_invalid", message: `rows.jsonl:${line}: not JSON` })
    finder.addRow(rowOf(0))
    finder.addRow(rowOf(1, { sample: null, scores: {}, error: fault(2) }))
    finder.addRow(rowOf(2, { sample: null, scores: {}, error: fault(3) }))
    expect(finder.list()).toMatchObject([
      {
        code: "rows_invalid",
        count: 2,
        evidence: ["task 'qa', row 1: rows.jsonl:2: not JSON", "task 'qa', row 2: rows.jsonl:3: not JSON"],
      },
    ])
  })
})

describe("requests that are sent again", () => {
  const retried = (requests: number) => {
    const finder = createFinder()
    for (let row = 0; row < 100; row += 1) finder.addRow(rowOf(row))
    const error = new AssayError("rate_limited", "http://m:1/v1 answers 429; wait.")
    for (let count = 0; count < requests; count += 1) finder.addRetry(error)
    return finder.list()
  }

  it("are a condition if they are frequent, even if all succeed in the end", () => {
    expect(retried(4)).toEqual([])
    expect(retried(5)).toMatchObject([
      {
        code: "rate_limited",
        count: 5,
        message: "5 requests were sent again, for 100 rows: http://m:1/v1 answers 429; wait.",
      },
    ])
  })
})

describe("lines of a log", () => {
  it("are not counted besides an error of the same condition", verifies("condition.text"), () => {
    const finder = createFinder()
    finder.addLogLine("openai.RateLimitError: Error code: 429")
    finder.addLogLine("openai.RateLimitError: Error code: 429 again")
    expect(finder.list()).toMatchObject([
      {
        code: "rate_limited",
        count: 2,
        message: "2 lines of the log show it: openai.RateLimitError: Error code: 429",
      },
    ])
    finder.addError(new AssayError("rate_limited", "http://m:1/v1 answers 429; wait."))
    expect(finder.list()).toMatchObject([
      { code: "rate_limited", count: 1, message: "http://m:1/v1 answers 429; wait." },
    ])
  })

  it("in general words are not a second condition", () => {
    const finder = createFinder()
    finder.addLogLine("ssl.SSLCertVerificationError: [SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed")
    finder.addLogLine("openai.APIConnectionError: Connection error.")
    expect(finder.list().map(({ code }) => code)).toEqual(["inference_tls"])
  })
})

describe("answers of a judge", () => {
  const judged = (unreadable: number, of: number, reason = "no_verdict") => {
    const finder = createFinder()
    for (let row = 0; row < of; row += 1) {
      finder.addRow(row < unreadable ? unreadableRow(row, reason, `Well, I think it is fine ${row}.`) : rowOf(row))
    }
    return finder.list()
  }

  it(
    "are a condition from 5 % unreadable answers on",
    verifies("condition.unreadable-share", "brief.condition.judge-unreadable"),
    () => {
      expect(judged(4, 81)).toEqual([])
      const [found] = judged(4, 80)
      expect(found).toMatchObject({
        code: "judge_output_unreadable",
        title: "Parsing errors with a judge model",
        count: 4,
      })
      expect(found?.message).toContain("4 of 80 answers of the judge for 'judge' of task 'qa' (5 %)")
      expect(found?.evidence[0]).toBe("row 0 (no_verdict): Well, I think it is fine 0.")
      expect(found?.remedy).toMatch(/larger or instruction-tuned judge/)
    },
  )

  it.each([
    ["reasoning_only", "judge_budget_exhausted"],
    ["refusal", "judge_refused"],
    ["content_filter", "judge_refused"],
    ["truncated", "judge_output_unreadable"],
    ["empty", "judge_output_unreadable"],
  ])("that are unreadable for %s are %s", (reason, code) => {
    expect(judged(9, 10, reason).map((condition) => condition.code)).toEqual([code])
  })

  it("of two metrics are one condition that names both", () => {
    const finder = createFinder()
    finder.addRow(unreadableRow(0, "no_verdict", "hm"))
    finder.addRow({ ...unreadableRow(0, "no_verdict", "well"), task: "other" })
    const [found, ...others] = finder.list()
    expect(others).toEqual([])
    expect(found).toMatchObject({ count: 2, evidence: ["row 0 (no_verdict): hm", "row 0 (no_verdict): well"] })
    expect(found?.message).toMatch(/task 'qa'.*task 'other'/)
  })
})

it("Answers that end at the token limit are a condition if they are frequent", () => {
  const finder = createFinder()
  const cut = { output_text: "and then", response: null, usage: null, latency_ms: 1, finish_reason: "length" }
  for (let row = 0; row < 10; row += 1) finder.addRow(rowOf(row))
  finder.addRow(rowOf(10, { sample: cut }))
  expect(finder.list()).toEqual([])
  finder.addRow(rowOf(11, { sample: cut }))
  expect(finder.list()).toMatchObject([
    { code: "output_truncated", count: 2, message: expect.stringContaining("2 of 12 answers for task 'qa' (16.7 %)") },
  ])
})

it("Answers that a filter held back or ended are a condition if they are frequent, and not empty answers", () => {
  const finder = createFinder()
  const filtered = { output_text: "First,", response: null, usage: null, latency_ms: 1, finish_reason: "RECITATION" }
  for (let row = 0; row < 38; row += 1) finder.addRow(rowOf(row))
  finder.addRow(rowOf(38, { sample: filtered }))
  expect(finder.list()).toEqual([])
  finder.addRow(rowOf(39, { sample: { ...filtered, output_text: "", finish_reason: "content_filter" } }))
  expect(finder.list()).toMatchObject([
    {
      code: "answers_filtered",
      count: 2,
      evidence: ["row 38: finish_reason RECITATION: … First,", "row 39: finish_reason content_filter: an empty answer"],
    },
  ])
})

describe("empty answers", () => {
  const saying = (output_text: string | null, message: object = {}) => ({
    output_text,
    response: { choices: [{ message: { content: output_text, ...message } }] },
    usage: null,
    latency_ms: 1,
    finish_reason: "stop",
  })

  it("are a condition from 5 % of a task's answers on, with examples", verifies("condition.empty-answers"), () => {
    const finder = createFinder()
    for (let row = 0; row < 19; row += 1) finder.addRow(rowOf(row))
    expect(finder.list()).toEqual([])
    finder.addRow(rowOf(19, { sample: saying(" \n\t") }))
    expect(finder.list()).toMatchObject([
      {
        code: "empty_answers",
        count: 1,
        message: expect.stringContaining("1 of 20 answers for task 'qa' (5 %)"),
        evidence: ["row 19: an empty answer (finish_reason stop)"],
      },
    ])
    finder.addRow(rowOf(20))
    expect(finder.list()).toEqual([])
    finder.addRow(rowOf(21, { sample: saying(null) }))
    expect(finder.list()).toMatchObject([{ code: "empty_answers", count: 2 }])
  })

  it("do not count if a tool is called, or if a row was given without an answer", () => {
    const finder = createFinder()
    const call = { function: { name: "f", arguments: "{}" } }
    finder.addRow(rowOf(0, { sample: saying(null, { tool_calls: [call] }) }))
    finder.addRow(rowOf(1, { sample: saying("", { function_call: { name: "f", arguments: "{}" } }) }))
    finder.addRow(rowOf(2, { sample: { ...saying(null), response: null } }))
    expect(finder.list()).toEqual([])
  })
})

it("The finder needs the same time for a good row after any number of rows", () => {
  const finder = createFinder()
  let looks = 0
  const watched = <T extends object>(value: T): T =>
    new Proxy(value, {
      get(target, key) {
        looks += 1
        const found: unknown = Reflect.get(target, key)
        return typeof found === "object" && found !== null ? watched(found) : found
      },
    })
  const looksAt = (row: EvaluationRow) => {
    looks = 0
    finder.addRow(watched(row))
    return looks
  }
  const first = looksAt(rowOf(0))
  expect(first).toBeLessThan(50)
  for (let count = 1; count < 10_000; count += 1) expect(looksAt(rowOf(count))).toBe(first)
  expect(finder.list()).toEqual([])
})
