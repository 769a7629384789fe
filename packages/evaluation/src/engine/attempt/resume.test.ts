import { appendFileSync, statSync, truncateSync } from "node:fs"
import * as fc from "fast-check"
import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { createRunner } from "../../testing/create-runner.ts"
import { createTinyTarget, lastLines, tinyRows } from "../../testing/tiny-plan.ts"

describe("an attempt that resumes", () => {
  it("asks the rows that have no answer yet, and no failed row again", verifies("run.resume"), async () => {
    const target = createTinyTarget([1, 5])
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
    expect(second.progress.tokens).toMatchObject({ prompt: 36, completion: 18 })
  })

  it(
    "after being stopped at any moment, any number of times, has every row answered once",
    verifies("run.resume"),
    async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.record({ rows: fc.nat(12), torn: fc.nat(300), junk: fc.boolean() }), { maxLength: 5 }),
          fc.uniqueArray(fc.nat(29)),
          fc.integer({ min: 1, max: 3 }),
          async (kills, failing, repeats) => {
            const target = createTinyTarget(failing)
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
    },
  )

  it("asks a row again that failed because of a refused key", async () => {
    const target = createTinyTarget([3], "inference_unauthorized")
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

  it("does not end because of failures in the run before", async () => {
    const target = createTinyTarget([...Array(10).keys()], "inference_unreachable")
    const run = createRunner()
    const stop = new AbortController()
    const onRow = ({ row_index }: { row_index: number }) => void (row_index === 8 && stop.abort())
    await run(target.plan({ parallelism: 1 }), { signal: stop.signal, onRow })
    const { end, progress } = await run(target.plan({ parallelism: 1 }))
    expect({ end, progress }).toMatchObject({ end: { kind: "finished" }, progress: { processed: 20, failed: 10 } })
  })

  it("skips journal lines that belong to none of its rows", async () => {
    const target = createTinyTarget()
    const run = createRunner()
    await run(target.plan({ rows: tinyRows(2) }))
    for (const odd of [{ task: "other" }, { repeat: 1 }, { row_index: 2 ** 50 }, { row_index: -1 }]) {
      const row = { task: "qa", row_index: 5, repeat: 0, attempt: 1, item: {}, sample: null, scores: {}, error: null }
      appendFileSync(run.path, `${JSON.stringify({ ...row, ...odd })}\n`)
    }
    const { progress } = await run(target.plan())
    expect(progress).toMatchObject({ processed: 20, total: 20 })
    expect(target.asked.toSorted((a, b) => a - b)).toEqual([...Array(20).keys()])
  })

  it("sends its first request soon even if many rows are already answered", async () => {
    const target = createTinyTarget()
    const run = createRunner()
    const stop = new AbortController()
    const plan = () => target.plan({ rows: tinyRows(8000), parallelism: 64 })
    await run(plan(), { signal: stop.signal, onRow: ({ row_index }) => void (row_index === 4000 && stop.abort()) })
    const started = performance.now()
    let firstAt = 0
    const onRow = () => void (firstAt ||= performance.now() - started)
    const { progress } = await run(plan(), { onRow })
    expect(progress.processed).toBe(8000)
    expect(firstAt).toBeLessThan(1000)
  })
})
