import type { JobEvent } from "@assay/schemas"
import { AssayError } from "@assay/schemas/errors"
import { expect, it } from "vitest"
import type { EvaluationJobs } from "./resources/evaluation-jobs.ts"
import { readEndedJob, watchJob } from "./watch-job.ts"

const GATE = { name: "t.m.s", limit: ">= 0.8", value: 0.9, low: null, high: null, verdict: "INCONCLUSIVE" }

it("watchJob reports each new status before the end, progress in both spellings, conditions and errors", async () => {
  const events: readonly Omit<JobEvent, "id">[] = [
    { event: "status", data: { status: "PENDING" } },
    { event: "status", data: { status: "running" } },
    { event: "status", data: { status: "RUNNING" } },
    { event: "progress", data: { processed: 1, total: null, means: { "t.m.s": 0.5, other: "x" }, tokens: null } },
    {
      event: "progress",
      data: {
        samples_processed: 2,
        samples_total: 4,
        samples_failed: 1,
        tokens: { prompt: 3 },
        gates: [GATE, { name: 1 }],
      },
    },
    { event: "progress", data: {} },
    { event: "condition", data: { title: "Slow", message: "wait" } },
    { event: "log", data: { level: "info", message: "unseen" } },
    { event: "log", data: { level: "error", message: "seen" } },
    { event: "status", data: { status: "completed" } },
  ]
  const seen: unknown[] = []
  const listener = {
    onProgress: (progress: unknown) => seen.push(progress),
    onCondition: (condition: unknown) => seen.push(condition),
    onError: (message: string) => seen.push(message),
    onStatus: (status: string) => seen.push(status),
  }
  async function* yieldEvents(): AsyncGenerator<JobEvent, void, undefined> {
    yield* events.map((event, id) => ({ id, ...event }))
  }
  await watchJob({ events: yieldEvents }, "eval-1", listener)
  expect(seen).toEqual([
    "PENDING",
    "RUNNING",
    { processed: 1, total: null, failed: 0, means: { "t.m.s": 0.5 }, tokens: { prompt: 0, completion: 0 }, gates: [] },
    { processed: 2, total: 4, failed: 1, means: {}, tokens: { prompt: 3, completion: 0 }, gates: [GATE] },
    { title: "Slow", message: "wait" },
    "seen",
  ])
})

it("readEndedJob returns a null result if the job has none, and the time between start and end", async () => {
  const job = { status: "failed", started_at: "2026-11-20T10:00:00.000Z", finished_at: "2026-11-20T10:00:01.500Z" }
  const jobs = {
    get: async () => job,
    status: async () => ({ samples_processed: 7 }),
    result: async () => {
      throw new AssayError("not_found", "There are no results.")
    },
  } as unknown as EvaluationJobs
  expect(await readEndedJob(jobs, "eval-1")).toEqual({
    job,
    status: "FAILED",
    result: null,
    rows: 7,
    milliseconds: 1500,
  })
})
