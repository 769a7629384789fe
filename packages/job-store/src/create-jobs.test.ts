import type { Condition, EvaluationResult } from "@assay/schemas"
import { verifies } from "@assay/testkit"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { DATABASE_KINDS } from "@assay/database/testing"
import { JOB } from "./testing/job-bodies.ts"
import { createTestRegistry, type TestRegistry } from "./testing/test-registry.ts"
import type { Jobs } from "./jobs.ts"

const RESULT: EvaluationResult = {
  id: "evaluation_result-1",
  job: "j",
  files_url: null,
  namespace: "default",
  created_at: "2026-11-20T00:00:00.000Z",
  tasks: {},
  groups: {},
}

describe.each(DATABASE_KINDS)("evaluation jobs on %s", (kind) => {
  let test: TestRegistry
  let jobs: Jobs
  beforeAll(async () => {
    test = await createTestRegistry(kind)
    jobs = test.registry.jobs
  })
  afterAll(() => test.remove())

  const kindsOf = async (id: string, after = 0) =>
    (await jobs.listEvents(id, after, 100)).map(({ seq, kind: what, data }) => [seq, what, Object.values(data)[0]])

  it("contain target and config, and wait for a runner", verifies("eval.embedded"), async () => {
    const job = await jobs.create({ ...JOB, description: "d", custom_fields: { z: 1, a: 2 } })
    expect(job).toEqual({
      id: expect.stringMatching(/^eval-/),
      namespace: "default",
      description: "d",
      target: JOB.target,
      config: JOB.config,
      status: "PENDING",
      status_details: { message: "Waiting for a runner.", task_status: {}, progress: 0 },
      conditions: [],
      result: null,
      output_files_url: null,
      project: "",
      custom_fields: { z: 1, a: 2 },
      ownership: {},
      created_at: job.updated_at,
      updated_at: expect.stringMatching(/^2026-11-20T/),
      started_at: null,
      finished_at: null,
      pins: [],
    })
    expect(await jobs.get(job.id)).toEqual(job)
    expect(await jobs.listRunnable(10)).toEqual([{ id: job.id, priority: 0 }])
    await jobs.cancel(job.id)
    expect(await jobs.remove(job.id)).toMatchObject({ id: job.id, status: "CANCELLED" })
    await expect(jobs.get(job.id)).rejects.toMatchObject({ code: "not_found" })
    await expect(jobs.create({ ...JOB, namespace: "nowhere" })).rejects.toMatchObject({ code: "invalid_request" })
  })

  it("are run by the runner that claims them, and end with a result", async () => {
    const { id } = await jobs.create({ ...JOB, grants: ["system"] })
    await expect(jobs.remove(id)).rejects.toMatchObject({ code: "job_not_final", status: 409 })
    const run = await jobs.claim(id)
    expect(run?.attempt).toEqual({ number: 1, scope: { kind: "run" }, grants: ["system"] })
    expect(run?.job).toMatchObject({ status: "RUNNING", started_at: expect.any(String) })
    expect(await jobs.claim(id)).toBeUndefined()
    const status_details = { message: "Half.", task_status: { t: "running" as const }, progress: 50 }
    const log = { kind: "log", data: { message: "asked" } } as const
    const progress = { kind: "progress", data: { progress: 50 } } as const
    expect(await run?.beat({ status_details, events: [progress, log] })).toBe("RUNNING")
    expect(await run?.beat({ events: [progress] })).toBe("RUNNING")
    expect(await jobs.getResult(id)).toBeUndefined()
    const details = { message: "", task_status: { t: "completed" as const }, progress: 100 }
    const end = { to: "COMPLETED", message: "Done.", status_details: details, conditions: [], result: RESULT } as const
    expect(await run?.end(end)).toBe("COMPLETED")
    expect(await jobs.get(id)).toMatchObject({
      status: "COMPLETED",
      status_details: { ...details, message: "Done." },
      result: RESULT.id,
      finished_at: expect.any(String),
    })
    expect(await jobs.getResult(id)).toEqual(RESULT)
    // Older progress events are removed, and the numbers continue.
    expect(await kindsOf(id)).toEqual([
      [1, "status", "PENDING"],
      [2, "status", "RUNNING"],
      [4, "log", "asked"],
      [5, "progress", 50],
      [6, "status", "COMPLETED"],
    ])
    expect(await kindsOf(id, 5)).toEqual([[6, "status", "COMPLETED"]])
    expect(await run?.beat()).toBeUndefined()
  })

  it("never end before they began, or begin before they were made, if the clock is set back", async () => {
    const { id, created_at } = await jobs.create(JOB)
    const { time } = test.clock
    test.clock.time -= 3_600_000
    const run = await jobs.claim(id)
    await run?.end({ to: "COMPLETED", message: "Done.", conditions: [] })
    const { started_at, finished_at } = await jobs.get(id)
    test.clock.time = time + 1000
    expect([started_at, finished_at]).toEqual([created_at, created_at])
  })

  it("accept only the changes in the table of transitions", verifies("eval.transitions"), async () => {
    const { id } = await jobs.create(JOB)
    const refused = { code: "illegal_transition", status: 409 }
    await expect(jobs.restart(id, { kind: "run" })).rejects.toMatchObject({ code: "job_not_final" })
    expect(await jobs.cancel(id)).toMatchObject({ status: "CANCELLED" })
    expect(await jobs.cancel(id)).toMatchObject({ status: "CANCELLED" })
    await expect(jobs.restart(id, { kind: "retry-failed" })).rejects.toMatchObject(refused)
    await expect(jobs.restart(id, { kind: "score", metrics: {} })).rejects.toMatchObject(refused)
    expect(await jobs.restart(id, { kind: "run" })).toMatchObject({ status: "PENDING", finished_at: null })
  })

  it("can be restarted when they have ended", async () => {
    const { id } = await jobs.create(JOB)
    await (await jobs.claim(id))?.end({ to: "FAILED", message: "No.", conditions: [] })
    expect(await jobs.restart(id, { kind: "run" })).toMatchObject({ status: "PENDING", finished_at: null })
    const resumed = await jobs.claim(id)
    expect(resumed?.attempt).toMatchObject({ number: 1, scope: { kind: "run" } })
    await resumed?.end({ to: "COMPLETED", message: "Done." })
    await expect(jobs.restart(id, { kind: "run" })).rejects.toMatchObject({
      code: "illegal_transition",
      message: expect.stringContaining("it is COMPLETED, and none failed. Launch it again."),
    })
    await expect(jobs.cancel(id)).rejects.toMatchObject({ code: "illegal_transition" })
    await jobs.restart(id, { kind: "retry-failed" })
    const retried = await jobs.claim(id)
    expect(retried?.attempt).toMatchObject({ number: 2, scope: { kind: "retry-failed" } })
    await retried?.end({ to: "COMPLETED", message: "Done." })
    const scope = { kind: "score", metrics: { t: { m: { type: "f1" } } } } as const
    const odd = { kind: "score", metrics: { constructor: {} } } as const
    await expect(jobs.restart(id, odd)).rejects.toMatchObject({
      code: "invalid_request",
      issues: [{ loc: ["body", "tasks", "constructor"], msg: expect.stringContaining("its tasks are t") }],
    })
    expect((await jobs.restart(id, scope)).config.tasks).toEqual({ t: { type: "data", metrics: scope.metrics.t } })
    expect((await jobs.claim(id))?.attempt).toMatchObject({ number: 3, scope })
  })

  it(
    "are not resumed if all rows were asked and some failed, because nothing would be asked",
    verifies("eval.resume"),
    async () => {
      const { id } = await jobs.create(JOB)
      const details = { task_status: {}, progress: null, samples_processed: 3, samples_total: 3, samples_failed: 3 }
      const end = async (change: typeof details, conditions: readonly Condition[] = []) => {
        const run = await jobs.claim(id)
        await run?.end({ to: "FAILED", message: "No.", conditions, status_details: { message: "", ...change } })
      }
      await end(details)
      await expect(jobs.restart(id, { kind: "run" })).rejects.toMatchObject({
        code: "illegal_transition",
        status: 409,
        message: expect.stringMatching(/all of its rows were asked, and 3 failed\. Use retry-failed/u),
      })
      await jobs.restart(id, { kind: "retry-failed" })
      await end({ ...details, samples_processed: 2 })
      await jobs.restart(id, { kind: "run" })
      // Here all rows were answered, and only the results were not written.
      await end({ ...details, samples_failed: 0 })
      await jobs.restart(id, { kind: "run" })
      await end({ ...details, samples_failed: 0 }, [{ code: "nothing_scored" } as Condition])
      await expect(jobs.restart(id, { kind: "run" })).rejects.toMatchObject({
        message: expect.stringMatching(
          /all of its rows were asked, and none failed\. Correct what its conditions name/u,
        ),
      })
      await jobs.restart(id, { kind: "retry-failed" })
      const run = await jobs.claim(id)
      await jobs.cancel(id)
      await run?.end({ to: "FAILED", message: "No.", conditions: [], status_details: { message: "", ...details } })
      expect(await jobs.restart(id, { kind: "retry-failed" })).toMatchObject({ status: "PENDING" })
    },
  )

  it(
    "ask their failed rows again if they are resumed after they FAILED or were cancelled",
    verifies("eval.resume"),
    async () => {
      const { id } = await jobs.create(JOB)
      const details = { task_status: {}, progress: null, samples_processed: 2, samples_total: 3, samples_failed: 2 }
      const end = async (isCancelled: boolean) => {
        const run = await jobs.claim(id)
        if (isCancelled) await jobs.cancel(id)
        await run?.end({ to: "FAILED", message: "No.", conditions: [], status_details: { message: "", ...details } })
        await jobs.restart(id, { kind: "run" })
        return run?.attempt
      }
      expect(await end(true)).toMatchObject({ number: 1, scope: { kind: "run" } })
      expect(await end(false)).toMatchObject({ number: 2, scope: { kind: "retry-failed" } })
      expect(await end(true)).toMatchObject({ number: 3, scope: { kind: "retry-failed" } })
    },
  )

  it("end as cancelled after a cancellation with every outcome", async () => {
    const { id } = await jobs.create(JOB)
    const run = await jobs.claim(id)
    expect(await jobs.cancel(id)).toMatchObject({ status: "CANCELLING" })
    expect(await jobs.cancel(id)).toMatchObject({ status: "CANCELLING" })
    expect(await run?.beat()).toBe("CANCELLING")
    const early = {
      code: "job_not_final",
      context: { remedy: expect.stringContaining("Wait until it is CANCELLED") as string },
    }
    await expect(jobs.restart(id, { kind: "run" })).rejects.toMatchObject(early)
    expect(await run?.end({ to: "COMPLETED", message: "Done.", result: RESULT })).toBe("CANCELLED")
    expect(await jobs.getResult(id)).toEqual(RESULT)
  })
})
