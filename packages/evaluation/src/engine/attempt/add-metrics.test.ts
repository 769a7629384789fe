import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { createRunner } from "../../testing/create-runner.ts"
import { createTinyTarget, tinyMetric } from "../../testing/tiny-plan.ts"

describe("an attempt that adds metrics", () => {
  const SCORE = { attempt: 2, scope: { kind: "score", metrics: { qa: { length: { type: "tiny" } } } } } as const
  const length = tinyMetric("length", {
    score: ({ sample }) => ({ scores: { length: sample.output_text?.length ?? 0 } }),
  })

  it("scores the samples in the journal without a request, and can be resumed", async () => {
    const target = createTinyTarget([0])
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

  it.each([
    ["is resumed", { attempt: 2, scope: { kind: "run" } }],
    ["retries what failed", { attempt: 3, scope: { kind: "retry-failed" } }],
    ["adds another metric", { attempt: 3, scope: { kind: "score", metrics: { qa: { words: { type: "tiny" } } } } }],
  ] as const)(
    "that was stopped is completed without a request when the job %s",
    verifies("run.score"),
    async (_, job) => {
      const target = createTinyTarget([])
      const run = createRunner()
      await run(target.plan())
      target.asked.length = 0
      const stop = new AbortController()
      await run(target.plan({ metrics: [tinyMetric(), length] }), {
        job: SCORE,
        signal: stop.signal,
        onRow: () => stop.abort(),
      })
      const words = tinyMetric("words")
      const metrics = job.scope.kind === "score" ? [tinyMetric(), length, words] : [tinyMetric(), length]
      const { end, tasks, lines } = await run(target.plan({ metrics }), { job })
      expect(end.kind).toBe("finished")
      expect(target.asked).toEqual([])
      for (const { key } of metrics)
        expect(tasks[0]?.metrics[key]?.[key]?.counts).toMatchObject({ scored: 20, skipped: 0 })
      const count = lines.length
      await run(target.plan({ metrics }), { job })
      expect(lines).toHaveLength(count)
    },
  )

  it("scores the answered rows of a failed job, and the job stays failed", async () => {
    const target = createTinyTarget([0, 1, 2])
    const run = createRunner()
    await run(target.plan())
    const plan = target.plan({ metrics: [tinyMetric(), length], maxFailedShare: 0.1 })
    const { end, tasks } = await run(plan, { job: SCORE })
    expect(end).toMatchObject({ kind: "failed", code: "request_timeout" })
    expect(tasks[0]?.metrics["length"]?.["length"]?.counts).toEqual({
      scored: 17,
      unreadable: 0,
      errored: 3,
      skipped: 0,
    })
  })
})
