import { setTimeout as sleep } from "node:timers/promises"
import { AssayError, type ErrorCode } from "@assay/schemas"
import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { createRunner } from "../testing/create-runner.ts"
import { tinyPlan, tinyRows, tinySample, type TinyTask } from "../testing/tiny-plan.ts"

/** Makes requests fail for `count` rows, from row `first` on. */
function failingPlan(count: number, code: ErrorCode, { first = 0, ...over }: TinyTask & { first?: number } = {}) {
  let asked = 0
  const call = async (item: Readonly<Record<string, unknown>>) => {
    asked++
    await sleep(1)
    const row = Number(String(item["question"]).slice(9))
    if (row >= first && row < first + count) throw new AssayError(code, "It said no.")
    return tinySample("right")
  }
  const plan = tinyPlan({
    ask: { kind: "call", call },
    rows: tinyRows(100),
    maxFailedShare: 0.1,
    parallelism: 2,
    ...over,
  })
  return { plan, asked: () => asked }
}

describe("a job with failed rows", () => {
  it("completes if no more rows fail than max_failed_share allows", verifies("run.failed-rows"), async () => {
    const { end, progress, lines } = await createRunner()(failingPlan(10, "request_timeout").plan)
    expect(end).toEqual({ kind: "finished" })
    expect(progress).toMatchObject({ failed: 10, processed: 100, tasks: { qa: "completed" } })
    expect(lines.filter(({ error }) => error?.code === "request_timeout")).toHaveLength(10)
  })

  it("ends as soon as more rows have failed than max_failed_share allows", verifies("run.failed-rows"), async () => {
    const failing = failingPlan(50, "request_timeout")
    const { end, progress, tasks, lines } = await createRunner()(failing.plan)
    expect(end).toEqual({
      kind: "failed",
      code: "request_timeout",
      message:
        'Ended when 11 of the 100 rows of task "qa" had failed, max_failed_share allows 10; all with request_timeout: It said no.',
    })
    expect(failing.asked()).toBeLessThan(14)
    expect(progress.tasks).toEqual({ qa: "failed" })
    expect(tasks[0]?.metrics["right"]?.["right"]?.counts).toMatchObject({ skipped: 100 - lines.length })
  })

  it("ends when its rows are counted, if too many have failed by then", async () => {
    const call = async (item: Readonly<Record<string, unknown>>, { signal }: { signal: AbortSignal }) => {
      if (Number(String(item["question"]).slice(9)) > 14) await sleep(60_000, undefined, { signal })
      throw new AssayError("request_timeout", "Too slow.")
    }
    const counted = Promise.withResolvers<number>()
    let failed = 0
    const onFailure = () => {
      if (++failed === 15) counted.resolve(100)
    }
    const count = () => counted.promise
    const plan = tinyPlan({ ask: { kind: "call", call }, rows: tinyRows(100), maxFailedShare: 0.1, count })
    const environment = { now: () => 0, random: () => 0, sleep: () => sleep(1) }
    const { end, progress } = await createRunner()(plan, { environment, onFailure })
    expect(end).toMatchObject({ kind: "failed", code: "request_timeout" })
    expect(progress).toMatchObject({ failed: 15, total: 100 })
  })

  it("logs the first failures of each code, and reports all of them to onFailure", async () => {
    const { log, failures } = await createRunner()(failingPlan(8, "request_timeout").plan)
    expect(log.filter((line) => line.includes("request_timeout: It said no."))).toHaveLength(5)
    expect(log[4]).toMatch(/^Task qa, row \d: .*\(further ones are only counted\)$/)
    expect(failures).toHaveLength(8)
  })

  it("decides at the end if its rows could not be counted before", async () => {
    const count = () => Promise.reject(new AssayError("unavailable", "Not now."))
    const failing = failingPlan(50, "request_timeout", { count })
    const { end, progress } = await createRunner()(failing.plan)
    expect(end).toMatchObject({ kind: "failed", code: "request_timeout" })
    expect(failing.asked()).toBe(100)
    expect(progress.total).toBe(100)
  })

  it.each(["inference_unauthorized", "inference_tls", "model_not_found", "quota_exhausted"] as const)(
    "ends at once with %s, without asking further rows",
    verifies("run.failed-rows"),
    async (code) => {
      const failing = failingPlan(100, code, { maxFailedShare: 1, parallelism: 8 })
      const { end, lines } = await createRunner()(failing.plan)
      expect(end).toEqual({ kind: "failed", code, message: "It said no." })
      expect(failing.asked()).toBeLessThan(17)
      expect(lines.length).toBeLessThan(9)
      expect(lines[0]).toMatchObject({ error: { code } })
    },
  )

  it("ends if the endpoint is unreachable and no row has succeeded", async () => {
    const failing = failingPlan(100, "inference_unreachable", { maxFailedShare: 1 })
    const { end } = await createRunner()(failing.plan)
    expect(end).toMatchObject({ kind: "failed", code: "inference_unreachable" })
    expect(failing.asked()).toBeLessThan(14)
  })

  it("continues if a row has succeeded although others found the endpoint unreachable", async () => {
    const failing = failingPlan(30, "inference_unreachable", { maxFailedShare: 0.5, first: 3 })
    expect((await createRunner()(failing.plan)).end).toEqual({ kind: "finished" })
  })

  it("waits a second for rows in flight when it ends, and gives up rows that take longer", async () => {
    let given: unknown
    const call = async (item: Readonly<Record<string, unknown>>, { signal }: { signal: AbortSignal }) => {
      if (item["question"] === "question 0") return sleep(20, tinySample("right"))
      if (item["question"] === "question 1") {
        await sleep(60_000, undefined, { signal }).catch((error: unknown) => (given = error))
        signal.throwIfAborted()
      }
      throw new AssayError("request_timeout", "Too slow.")
    }
    const plan = tinyPlan({ ask: { kind: "call", call }, rows: tinyRows(100), maxFailedShare: 0 })
    const environment = { now: () => 0, random: () => 0, sleep: () => sleep(100) }
    const { end, lines } = await createRunner()(plan, { environment })
    expect(end).toMatchObject({ kind: "failed", code: "request_timeout" })
    expect(given).toBeInstanceOf(Error)
    const rows = lines.map(({ row_index }) => row_index)
    expect(rows).toContain(0)
    expect(rows).not.toContain(1)
  })

  it("fails with the error that reading its rows threw", async () => {
    const plan = tinyPlan({})
    const [task] = plan.tasks
    const open = async function* () {
      yield* [tinyRows(3)]
      await Promise.resolve()
      throw new AssayError("unavailable", "The storage is gone.")
    }
    const broken = { ...plan, tasks: task === undefined ? [] : [{ ...task, rows: { ...task.rows, open } }] }
    const { end, lines } = await createRunner()(broken)
    expect(end).toEqual({ kind: "failed", code: "unavailable", message: "The storage is gone." })
    expect(lines).toHaveLength(3)
  })

  it("ends with disk_full if the journal has no room, and keeps the rows that were answered", async () => {
    const rows: unknown[] = []
    const journal = {
      append(row: unknown) {
        if (rows.push(row) > 5) throw new AssayError("disk_full", "There is no room left.")
      },
      flush: () => Promise.resolve(),
      async *read() {},
      async *bytes() {},
      close: () => Promise.resolve(),
    }
    const { end, progress } = await createRunner()(failingPlan(0, "internal").plan, { journal })
    expect(end).toMatchObject({ kind: "failed", code: "disk_full" })
    expect(progress.processed).toBe(5)
  })

  it("has fewer rows in flight after the endpoint limits the rate", verifies("run.parallelism"), async () => {
    let open = 0
    let asked = 0
    const most: number[] = []
    const call = async (_: unknown, { onRetry }: { onRetry: (retry: { error: unknown; waitMs: number }) => void }) => {
      open++
      most.push(open)
      if (asked++ < 8) onRetry({ error: new AssayError("rate_limited", "Slower."), waitMs: 1 })
      await sleep(2)
      open--
      return tinySample("right")
    }
    const plan = tinyPlan({ ask: { kind: "call", call }, rows: tinyRows(60), parallelism: 8 })
    const { log } = await createRunner()(plan)
    expect(Math.max(...most.slice(8, 20))).toBeLessThanOrEqual(6)
    expect(Math.max(...most.slice(40))).toBeGreaterThan(6)
    expect(log).toContain("Task qa: the endpoint limits the rate; 4 instead of 8 requests may be in flight.")
    expect(log).toContain("Task qa: 8 requests may be in flight again.")
  })
})
