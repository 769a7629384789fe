import { setTimeout as sleep } from "node:timers/promises"
import { AssayError } from "@assay/schemas"
import { describe, expect, it } from "vitest"
import { createRunner } from "../../testing/create-runner.ts"
import { createTinyTarget, lastLines, tinyMetric } from "../../testing/tiny-plan.ts"

const RETRY = { attempt: 2, scope: { kind: "retry-failed" } } as const

describe("an attempt with scope retry-failed", () => {
  it("asks only the failed rows, and keeps their error until they succeed", async () => {
    const target = createTinyTarget([2, 4, 6])
    const run = createRunner()
    await run(target.plan())
    target.asked.length = 0
    target.fails.delete(4)
    const { lines, progress, tasks } = await run(target.plan(), { job: RETRY })
    expect(target.asked.toSorted((a, b) => a - b)).toEqual([2, 4, 6])
    expect(progress).toMatchObject({ processed: 20, failed: 2, total: 20 })
    expect(tasks[0]?.metrics["right"]?.["right"]?.counts).toMatchObject({ scored: 18, errored: 2 })
    expect(
      lines.filter(({ row_index }) => row_index === 2).map(({ attempt, error }) => [attempt, error?.code]),
    ).toEqual([
      [1, "request_timeout"],
      [2, "request_timeout"],
    ])
    expect(lastLines(lines).get("4/0")).toMatchObject({ attempt: 2, error: null, scores: { right: { right: 1 } } })
  })

  it("asks no row twice if it is stopped and resumed", async () => {
    const target = createTinyTarget([2, 4, 6])
    const run = createRunner()
    await run(target.plan())
    const stop = new AbortController()
    await run(target.plan({ parallelism: 1 }), { job: RETRY, signal: stop.signal, onRow: () => stop.abort() })
    target.asked.length = 0
    const { progress } = await run(target.plan(), { job: RETRY })
    expect(target.asked).toEqual([4, 6])
    expect(progress).toMatchObject({ processed: 20, failed: 3 })
  })

  it("does not ask the target if only a judge had failed", async () => {
    const target = createTinyTarget()
    let isDown = true
    const judge = tinyMetric("judge", {
      isRemote: true,
      score: () =>
        isDown ? Promise.reject(new AssayError("request_timeout", "No.")) : sleep(1, { scores: { judge: 0.5 } }),
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
    expect(lines.at(-1)).toMatchObject({
      attempt: 2,
      scores: { right: { right: 1 }, judge: { judge: 0.5 } },
      error: null,
    })
  })

  it("also asks the rows that a stopped job never asked", async () => {
    const target = createTinyTarget([0, 1, 2])
    const run = createRunner()
    const plan = () => target.plan({ parallelism: 1, maxFailedShare: 0.1 })
    expect(await run(plan())).toMatchObject({ end: { kind: "failed" }, progress: { processed: 3, failed: 3 } })
    expect(await run(plan())).toMatchObject({ end: { kind: "failed" }, progress: { failed: 3 } })
    target.fails.clear()
    target.asked.length = 0
    const { end, progress } = await run(plan(), { job: RETRY })
    expect(end).toEqual({ kind: "finished" })
    expect(target.asked.filter((row) => row < 3)).toEqual([0, 1, 2])
    expect(progress).toMatchObject({ processed: 20, failed: 0 })
  })
})
