import type { ScoredRow } from "@assay/schemas"
import { describe, expect, it } from "vitest"
import { failingFilters, failuresOf, findFailing, isWholeScore, rowLimits } from "./failing-rows.ts"

const config = {
  params: { gates: [{ task: "qa", metric: "f1", op: ">=" as const, value: 0.7 }] },
  tasks: {
    qa: {
      metrics: {
        "a.b": { type: "string-check" },
        f1: { type: "f1" },
        speed: { type: "latency" },
        judge: {
          type: "llm-judge",
          params: { scores: { ok: { type: "boolean" }, grade: { minimum: 1, maximum: 5 } } },
        },
      },
    },
  },
}
const SCORES = ["a.b.string-check", "f1.f1_score", "speed.latency", "judge.ok", "judge.grade"]
const limits = rowLimits({ tasks: config.tasks }, SCORES)
const gateLimits = rowLimits(config, SCORES)
const row = (scores: ScoredRow["scores"], error: ScoredRow["error"] = null) => ({ scores, error })

it("scores without decimals are 0 or 1, whole grades, and rubrics of whole numbers", () => {
  const scores = {
    grade: { type: "int", minimum: 1, maximum: 5 },
    share: { minimum: 0, maximum: 1 },
    words: {
      rubric: [
        { label: "bad", value: 1 },
        { label: "good", value: 3 },
      ],
    },
    halves: { rubric: { bad: 0, fair: 0.5 } },
  }
  const tasks = {
    qa: { metrics: { j: { type: "llm-judge", params: { scores } }, f1: { type: "f1" }, eq: { type: "exact-match" } } },
  }
  const names = ["j.grade", "j.share", "j.words", "j.halves", "f1.f1_score", "eq.em"]
  expect(names.filter((name) => isWholeScore({ tasks }, name))).toEqual(["j.grade", "j.words", "eq.em"])
})

describe("failing rows", () => {
  it("have an error, a 0 of a score that is 0 or 1, or a score that is not within the limit of its gate", () => {
    expect(limits).toEqual([
      { score: "a.b.string-check", op: ">=", value: 1 },
      { score: "judge.ok", op: ">=", value: 1 },
    ])
    expect(gateLimits).toEqual([{ score: "f1.f1_score", op: ">=", value: 0.7 }])
    const bad = row({ "a.b": { "string-check": 0 }, f1: { f1_score: 0.69 }, judge: { ok: 0 } })
    expect(failuresOf(bad, limits)).toEqual(["a.b.string-check", "judge.ok"])
    expect(failuresOf(bad, gateLimits)).toEqual(["f1.f1_score"])
    expect(
      failuresOf(row({ "a.b": { "string-check": 1 }, f1: { f1_score: "NaN" }, judge: { grade: 0 } }), limits),
    ).toEqual([])
    expect(failuresOf(row({}, { code: "timeout", message: "" }), limits)).toEqual(["timeout"])
    expect(rowLimits(config, SCORES, "another task")).toEqual([])
  })

  it("are those of the gates of each task, unless its gates are about time, tokens or cost alone, or about no score of rows", () => {
    const limited = (gate: object, tasks: object = config.tasks) =>
      rowLimits({ tasks, params: { gates: [{ task: "qa", op: ">=", value: 0.5, ...gate }] } } as never, SCORES)
    expect(limited({ metric: "judge", score: "ok" })).toEqual([{ score: "judge.ok", op: ">=", value: 0.5 }])
    // A gate on the gain over a baseline gives rows no limit.
    expect(limited({ metric: "a.b", op: undefined })).toEqual([{ score: "a.b.string-check", op: ">=", value: 1 }])
    const slow = { score: "speed.latency", op: "<=", value: 300 } as const
    expect(limited({ metric: "speed", op: "<=", value: 300 })).toEqual([limits[0], slow, limits[1]])
    expect(limited({ metric: "corpus" })).toEqual(limits)
    const another = { more: { metrics: { "a.b": { type: "string-check" } } }, ...config.tasks }
    expect(limited({ metric: "f1" }, another).map(({ score }) => score)).toEqual(["a.b.string-check", "f1.f1_score"])
  })

  it("of conversations have a 0 at a turn, a turn of a check that fails, or an end that fails", () => {
    const turns = [{ user: "a", metrics: { said: { type: "string-check" }, words: { type: "bleu" } } }]
    const metrics = { state: { type: "state" }, used: { type: "calls", params: { recall: ["a"] } } }
    const task = { type: "conversation", params: { conversation: { turns } }, metrics }
    const names = ["said.string-check", "said@2.string-check", "words.sentence", "state.state", "used.calls"]
    expect(rowLimits({ tasks: { qa: task } }, names).map(({ score }) => score)).toEqual([
      "said.string-check",
      "said@2.string-check",
      "state.state",
    ])
    const params = { gates: [{ task: "qa", metric: "said", op: ">=" as const, value: 0.5 }] }
    expect(rowLimits({ tasks: { qa: task }, params }, names).map(({ score, value }) => [score, value])).toEqual([
      ["said.string-check", 0.5],
      ["said@2.string-check", 1],
    ])
  })

  it("are found by filters of which one must hold, with the stricter limit of two", () => {
    const both = [...limits, ...gateLimits, { score: "f1.f1_score", op: ">=", value: 0.9 } as const]
    expect(failingFilters(both)).toEqual({
      "any:error": { $nin: "null" },
      "any:score:a.b.string-check": { $lt: "1" },
      "any:score:f1.f1_score": { $lt: "0.9" },
      "any:score:judge.ok": { $lt: "1" },
    })
  })

  it("are found in both directions, page by page, and not beyond the ends", async () => {
    const failing = new Set([3, 250])
    const read: number[] = []
    const rows = {
      total: 260,
      read: (start: number, end: number) => {
        read.push(start)
        const one = (at: number) => row({ "a.b": { "string-check": failing.has(at) ? 0 : 1 } }) as ScoredRow
        return Promise.resolve(Array.from({ length: end - start }, (_, offset) => one(start + offset)))
      },
    }
    const find = (start: number, step: 1 | -1) => findFailing(rows, { start, step, limits })
    expect(await find(-1, 1)).toBe(3)
    expect(await find(3, 1)).toBe(250)
    expect(read).toEqual([0, 0, 100, 200])
    expect(await find(250, 1)).toBeUndefined()
    expect(await find(259, -1)).toBe(250)
    expect(await find(250, -1)).toBe(3)
    expect(await find(3, -1)).toBeUndefined()
  })
})
