import { appendFileSync, statSync, truncateSync } from "node:fs"
import { setTimeout as sleep } from "node:timers/promises"
import { AssayError } from "@assay/schemas"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { RunnableJob } from "../jobs/runnable-job.ts"
import { createRunner } from "../testing/start-run.ts"
import { lastLines, tinyMetric, tinyPlan, tinyRows, tinySample, type TinyTask } from "../testing/tiny-plan.ts"

type Round = Pick<RunnableJob, "attempt" | "scope">
const RETRY: Round = { attempt: 2, scope: { kind: "retry-failed" } }

/** A target that writes down which rows it was asked, and fails those of `failing`. */
function createTarget(failing: Iterable<number> = [], code: "request_timeout" | "inference_unauthorized" = "request_timeout") {
  const asked: number[] = []
  const fails = new Set(failing)
  const call = async (item: Readonly<Record<string, unknown>>) => {
    const row = Number(String(item["question"]).slice(9))
    asked.push(row)
    await Promise.resolve()
    if (fails.has(row)) throw new AssayError(code, `Row ${row} failed.`)
    return tinySample("right")
  }
  const plan = (over: TinyTask = {}) => tinyPlan({ ask: { kind: "call", call }, ...over })
  return { asked, fails, plan }
}

describe("a round that goes on", () => {
  it("asks what has no answer yet, and no failed row again [run.resume]", async () => {
    const target = createTarget([1, 5])
    const run = createRunner()
    const stop = new AbortController()
    const rows: number[] = []
    const onRow = () => {
      if (rows.push(0) === 8) stop.abort()
    }
    const first = await run(target.plan(), { signal: stop.signal, onRow })
    expect(first.end).toEqual({ kind: "aborted" })
    expect(first.tasks[0]?.metrics["right"]?.["right"]?.counts.skipped).toBe(20 - first.lines.length)
    const before = new Set(first.lines.map(({ row_index }) => row_index))
    target.asked.length = 0
    const second = await run(target.plan())
    expect(target.asked.filter((row) => before.has(row))).toEqual([])
    expect(second).toMatchObject({ end: { kind: "finished" }, progress: { processed: 20, failed: 2, total: 20 } })
    expect(second.tasks[0]?.metrics["right"]?.["right"]).toMatchObject({
      stats: { count: 18 },
      counts: { scored: 18, errored: 2, skipped: 0 },
    })
    expect(second.progress.tokens).toEqual({ prompt: 36, completion: 18 })
  })

  it("killed at any moment again and again, answers every row once [run.resume]", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ rows: fc.nat(12), torn: fc.nat(300), junk: fc.boolean() }), { maxLength: 5 }),
        fc.uniqueArray(fc.nat(29)),
        fc.integer({ min: 1, max: 3 }),
        async (kills, failing, repeats) => {
          const target = createTarget(failing)
          const run = createRunner()
          const plan = () => target.plan({ rows: tinyRows(30), repeats, parallelism: 3 })
          for (const kill of kills) {
            const stop = new AbortController()
            let left = kill.rows
            await run(plan(), { signal: stop.signal, onRow: () => void (--left < 0 && stop.abort()) })
            truncateSync(run.path, Math.max(0, statSync(run.path).size - kill.torn))
            if (kill.junk) appendFileSync(run.path, '{"task":"qa","row_ind')
          }
          const { lines, progress, tasks } = await run(plan())
          const keys = lines.map(({ row_index, repeat }) => `${row_index}/${repeat}`)
          expect(keys).toHaveLength(30 * repeats)
          expect(new Set(keys).size).toBe(30 * repeats)
          expect(progress).toMatchObject({ processed: 30 * repeats, failed: failing.length * repeats })
          expect(tasks[0]?.metrics["right"]?.["right"]?.counts).toEqual({
            scored: (30 - failing.length) * repeats,
            unreadable: 0,
            errored: failing.length * repeats,
            skipped: 0,
          })
        },
      ),
      { numRuns: 25 },
    )
  })

  it("asks the row again that a refused key kept from its answer", async () => {
    const target = createTarget([3], "inference_unauthorized")
    const run = createRunner()
    const first = await run(target.plan({ parallelism: 1 }))
    expect(first).toMatchObject({ end: { kind: "failed", code: "inference_unauthorized" }, progress: { failed: 1 } })
    target.fails.clear()
    target.asked.length = 0
    const second = await run(target.plan({ parallelism: 1 }))
    expect(target.asked).toEqual([...Array(20).keys()].slice(3))
    expect(second).toMatchObject({ end: { kind: "finished" }, progress: { processed: 20, failed: 0 } })
    expect(lastLines(second.lines).get("3/0")).toMatchObject({ attempt: 2, error: null })
  })

  it("begins with its first question soon where much is answered", async () => {
    const target = createTarget()
    const run = createRunner()
    const stop = new AbortController()
    const plan = () => target.plan({ rows: tinyRows(20_000), parallelism: 64 })
    await run(plan(), { signal: stop.signal, onRow: ({ row_index }) => void (row_index === 10_000 && stop.abort()) })
    const started = performance.now()
    let firstAt = 0
    const onRow = () => void (firstAt ||= performance.now() - started)
    const { progress } = await run(plan(), { onRow })
    expect(progress.processed).toBe(20_000)
    expect(firstAt).toBeLessThan(1000)
  })
})

describe("retry-failed", () => {
  it("asks the failed rows alone, and keeps the first error until one succeeds", async () => {
    const target = createTarget([2, 4, 6])
    const run = createRunner()
    await run(target.plan())
    target.asked.length = 0
    target.fails.delete(4)
    const { lines, progress, tasks } = await run(target.plan(), { job: RETRY })
    expect(target.asked.toSorted((a, b) => a - b)).toEqual([2, 4, 6])
    expect(progress).toMatchObject({ processed: 20, failed: 2, total: 20 })
    expect(tasks[0]?.metrics["right"]?.["right"]?.counts).toMatchObject({ scored: 18, errored: 2 })
    expect(lines.filter(({ row_index }) => row_index === 2).map(({ attempt, error }) => [attempt, error?.code])).toEqual([
      [1, "request_timeout"],
      [2, "request_timeout"],
    ])
    expect(lastLines(lines).get("4/0")).toMatchObject({ attempt: 2, error: null, scores: { right: { right: 1 } } })
  })

  it("taken up anew, asks nothing twice in its round", async () => {
    const target = createTarget([2, 4, 6])
    const run = createRunner()
    await run(target.plan())
    const stop = new AbortController()
    await run(target.plan({ parallelism: 1 }), { job: RETRY, signal: stop.signal, onRow: () => stop.abort() })
    target.asked.length = 0
    const { progress } = await run(target.plan(), { job: RETRY })
    expect(target.asked).toEqual([4, 6])
    expect(progress).toMatchObject({ processed: 20, failed: 3 })
  })

  it("does not ask the target where a judge alone had failed", async () => {
    const target = createTarget()
    let isDown = true
    const judge = tinyMetric("judge", {
      isRemote: true,
      score: () => (isDown ? Promise.reject(new AssayError("request_timeout", "No.")) : sleep(1, { scores: { judge: 0.5 } })),
    })
    const plan = () => target.plan({ metrics: [tinyMetric(), judge] })
    const run = createRunner()
    const first = await run(plan())
    expect(first.tasks[0]?.metrics).toMatchObject({
      right: { right: { counts: { scored: 20, errored: 0 } } },
      judge: { judge: { counts: { scored: 0, errored: 20 } } },
    })
    isDown = false
    target.asked.length = 0
    const { tasks, progress, lines } = await run(plan(), { job: RETRY })
    expect(target.asked).toEqual([])
    expect(tasks[0]?.metrics).toMatchObject({
      right: { right: { counts: { scored: 20, errored: 0, skipped: 0 } } },
      judge: { judge: { value: 0.5, counts: { scored: 20, errored: 0 } } },
    })
    expect(progress).toMatchObject({ failed: 0, tokens: { prompt: 40, completion: 20 } })
    expect(lines.at(-1)).toMatchObject({ attempt: 2, scores: { right: { right: 1 }, judge: { judge: 0.5 } }, error: null })
  })
})

describe("score", () => {
  const SCORE: Round = { attempt: 2, scope: { kind: "score", metrics: { qa: { length: { type: "tiny" } } } } }
  const length = tinyMetric("length", { score: ({ sample }) => ({ scores: { length: sample.output_text?.length ?? 0 } }) })

  it("adds metrics without asking anybody, and can be taken up anew", async () => {
    const target = createTarget([0])
    const run = createRunner()
    await run(target.plan())
    target.asked.length = 0
    const plan = () => target.plan({ metrics: [tinyMetric(), length] })
    const stop = new AbortController()
    let left = 5
    const onRow = () => void (--left === 0 && stop.abort())
    const stopped = await run(plan(), { job: SCORE, signal: stop.signal, onRow })
    expect(stopped.tasks[0]?.metrics).toMatchObject({
      right: { right: { counts: { scored: 19, errored: 1, skipped: 0 } } },
      length: { length: { counts: { scored: 5, errored: 1, skipped: 14 } } },
    })
    const { tasks, lines } = await run(plan(), { job: SCORE })
    expect(target.asked).toEqual([])
    expect(lines).toHaveLength(20 + 19)
    expect(tasks[0]?.metrics).toMatchObject({
      right: { right: { value: 1, counts: { scored: 19, errored: 1 } } },
      length: { length: { value: 5, counts: { scored: 19, errored: 1, skipped: 0 } } },
    })
    expect(lines.at(-1)).toMatchObject({ attempt: 2, scores: { right: { right: 1 }, length: { length: 5 } } })
  })
})
