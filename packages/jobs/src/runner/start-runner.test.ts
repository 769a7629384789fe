import type { RunOutcome, Evaluate } from "@assay/attempts"
import { setTimeout } from "node:timers/promises"
import { JOB_LEASE_MS, type JobRun, type Registry } from "@assay/registry"
import { AssayError, type DatasetPin, type EvaluationRow, type JobStatus } from "@assay/schemas"
import { createOutages } from "@assay/storage"
import { verifies } from "@assay/testkit"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { type JobEnvironment, journalInDatabase } from "@assay/evaluation"
import { tokenSums } from "@assay/results"
import { createInProcessQueue } from "../queue/in-process-queue.ts"
import { type JobRegistry, openJobRegistry } from "@assay/evaluation/testing"
import type { JobSetting } from "./job-setting.ts"
import { changedPins } from "./run-leased-attempt.ts"
import { type Runner, type RunnerOptions, startRunner } from "./start-runner.ts"

const ROWS = 6
const PROGRESS = {
  processed: 0,
  total: ROWS,
  failed: 0,
  tasks: { t: "running" as const },
  means: {},
  tokens: tokenSums.none,
}

const DEADLINE = { timeout: 20_000, interval: 5 }
const untilLength = (list: readonly unknown[], length: number) => expect.poll(() => list.length, DEADLINE).toBe(length)

/** Adds row after row to the journal, after the existing ones. Waits for `pace` before each row. */
function countingEvaluate(asked: number[], pace: (row: number) => Promise<void>): Evaluate {
  return async (_job, _world, { journal, signal, onProgress, onLog }) => {
    const known = (await Array.fromAsync(journal.read())).flat().length
    let processed = known
    const outcome = (status: RunOutcome["status"], message: string): RunOutcome => {
      const progress = { ...PROGRESS, processed }
      return { status, message, conditions: [], result: null, pins: [], progress }
    }
    for (; processed < ROWS; processed++) {
      await Promise.race([
        pace(processed),
        new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true })),
      ])
      if (signal.aborted) break
      const row = { task: "t", row_index: processed, repeat: 0, attempt: 1, item: {}, sample: null, scores: {} }
      journal.append({ ...row, error: null } satisfies EvaluationRow)
      await journal.flush()
      asked.push(processed)
      onProgress({ ...PROGRESS, processed: processed + 1 })
      onLog({ level: "info", message: `row ${processed}` })
    }
    await journal.flush()
    return signal.aborted ? outcome("CANCELLED", "Stopped.") : outcome("COMPLETED", "Done.")
  }
}

describe("a runner", () => {
  let test: JobRegistry
  let registry: Registry
  const runners: Runner[] = []
  const kept: string[] = []
  beforeEach(async () => {
    test = await openJobRegistry()
    registry = test.registry
  })
  afterEach(async () => {
    for (const runner of runners.splice(0)) await runner.close()
    kept.splice(0)
    await test[Symbol.asyncDispose]()
  })

  async function openSetting(run: JobRun): Promise<JobSetting> {
    const journal = journalInDatabase(await run.openJournal())
    return {
      environment: {} as JobEnvironment,
      journal,
      filesUrl: null,
      async stageResults({ status }) {
        return {
          results: { folder: run.folder },
          settle: async (arePublished) => void kept.push(arePublished ? status : "discarded"),
        }
      },
      close: () => journal.close(),
    }
  }

  async function start(evaluate: Evaluate, over: Partial<RunnerOptions> = {}): Promise<Runner> {
    const { jobs } = registry
    const log = { info: () => {}, warn: () => {} }
    const now = () => Date.now() + test.clock.ahead
    const queue = createInProcessQueue()
    const basis = { jobs, queue, openSetting, evaluate, now, elapsed: now, concurrency: 2, log, beatMs: 10 }
    const runner = await startRunner({ ...basis, ...over })
    runners.push(runner)
    return runner
  }

  const create = async () =>
    (await registry.jobs.create({ namespace: "default", target: { type: "rows" }, config: { type: "custom" } })).id

  async function until(id: string, status: JobStatus) {
    await expect.poll(async () => (await registry.jobs.get(id)).status, DEADLINE).toBe(status)
    return registry.jobs.get(id)
  }

  it("runs waiting jobs, and records progress, log and results", async () => {
    const id = await create()
    await start(countingEvaluate([], () => setTimeout(5)))
    const job = await until(id, "COMPLETED")
    expect(job.status_details).toMatchObject({ message: "Done.", progress: 100, samples_processed: ROWS })
    await expect.poll(() => kept).toEqual(["COMPLETED"])
    const events = await registry.jobs.listEvents(id, 0, 100)
    const lines = events.filter(({ kind }) => kind === "log").map(({ data }) => (data as { message: string }).message)
    expect(lines).toEqual([...Array.from({ length: ROWS }, (_, row) => `row ${row}`), "Done."])
    expect(events.at(-1)).toMatchObject({ kind: "status", data: { status: "COMPLETED" } })
  })

  it.each([true, false])("cancels a job and keeps its answers (requested in the same process: %s)", async (isHere) => {
    const id = await create()
    const asked: number[] = []
    const runner = await start(countingEvaluate(asked, (row) => (row < 2 ? setTimeout(1) : new Promise(() => {}))))
    await untilLength(asked, 2)
    await registry.jobs.cancel(id)
    if (isHere) runner.cancel(id)
    const job = await until(id, "CANCELLED")
    expect(job.status_details).toMatchObject({ samples_processed: 2 })
    await expect.poll(() => kept).toEqual(["CANCELLED"])
  })

  it("releases jobs when it is closed, and the next runner continues them", verifies("run.resume"), async () => {
    const id = await create()
    const asked: number[] = []
    const runner = await start(countingEvaluate(asked, (row) => (row < 3 ? setTimeout(1) : new Promise(() => {}))))
    await untilLength(asked, 3)
    await runner.close()
    expect(await registry.jobs.get(id)).toMatchObject({ status: "RUNNING" })
    expect(kept).toEqual([])
    await start(countingEvaluate(asked, () => setTimeout(1)))
    await until(id, "COMPLETED")
    expect(asked).toEqual([0, 1, 2, 3, 4, 5])
  })

  it(
    "takes over the job of a silent runner, which changes nothing afterwards",
    verifies("eval.unavailable", "run.queue"),
    async () => {
      const id = await create()
      const asked: number[] = []
      const silent = await startStuckRunner(asked)
      await untilLength(asked, 3)
      await silent.freeze()
      const other = (await test.openAnother()).jobs
      test.clock.ahead += JOB_LEASE_MS + 1
      const later: number[] = []
      await start(
        countingEvaluate(later, () => setTimeout(1)),
        { jobs: other },
      )
      await until(id, "COMPLETED")
      expect(later.length + 3).toBe(ROWS)
      silent.thaw()
      // Its next beat shows that another runner has the job.
      await untilLength(silent.ended, 1)
      await expect.poll(() => kept).toEqual(["COMPLETED"])
      const statuses = (await registry.jobs.listEvents(id, 0, 100)).filter(({ kind }) => kind === "status")
      expect(statuses.map(({ data }) => (data as { status: string }).status)).toEqual([
        "PENDING",
        "RUNNING",
        "UNAVAILABLE",
        "RUNNING",
        "COMPLETED",
      ])
    },
  )

  /** Starts a runner whose process can be paused as a whole: its beats and its rows wait. */
  async function startStuckRunner(asked: number[]) {
    let thaw = () => {}
    let frozen: Promise<void> | undefined
    let beating: Promise<unknown> = Promise.resolve()
    /** A beat that has begun still counts. */
    const freeze = async () => {
      frozen = new Promise((resolve) => {
        thaw = resolve
      })
      await beating
    }
    const { jobs } = registry
    const held = {
      ...jobs,
      settleLost: async () => {
        await frozen
        return []
      },
      async claim(jobId: string) {
        const run = await jobs.claim(jobId)
        if (run === undefined) return undefined
        const beat: JobRun["beat"] = async (news) => {
          if (frozen !== undefined) await frozen
          const beaten = run.beat(news)
          beating = beaten
          return beaten
        }
        return { ...run, beat }
      },
    }
    const counting = countingEvaluate(asked, (row) => (row < 3 ? setTimeout(1) : new Promise(() => {})))
    const ended: string[] = []
    const evaluate: Evaluate = async (...all) => {
      const outcome = await counting(...all)
      ended.push(outcome.status)
      return outcome
    }
    await start(evaluate, { jobs: held })
    return { ended, freeze, thaw: () => thaw() }
  }

  it("fails a job whose setting can't be opened, with the reason", async () => {
    const id = await create()
    const fault = () => Promise.reject(Object.assign(new Error("no disk"), { code: "ENOSPC" }))
    await start(
      countingEvaluate([], () => setTimeout(1)),
      { openSetting: fault },
    )
    const job = await until(id, "FAILED")
    expect(job.status_details.message).toContain("no disk")
    expect(job.conditions).toMatchObject([{ code: "disk_full" }])
    const events = await registry.jobs.listEvents(id, 0, 100)
    expect(events.slice(-2)).toMatchObject([
      { kind: "condition", data: { code: "disk_full" } },
      { kind: "status", data: { status: "FAILED" } },
    ])
  })

  it("fails a job whose results can't be written, and keeps its scores", async () => {
    const id = await create()
    const result = {
      id: "evaluation_result-1",
      job: id,
      files_url: null,
      namespace: "default",
      created_at: "2026-11-20T00:00:00Z",
    }
    const evaluate: Evaluate = async (...all) => ({
      ...(await countingEvaluate([], () => setTimeout(1))(...all)),
      result: { ...result, tasks: {}, groups: {} },
    })
    const stageResults = () => Promise.reject(new Error("store away"))
    await start(evaluate, { openSetting: async (run) => ({ ...(await openSetting(run)), stageResults }) })
    const job = await until(id, "FAILED")
    expect(job.status_details.message).toContain("The results could not be written: ")
    expect(job.result).toBe("evaluation_result-1")
  })

  it("records the end of a job once if the response of the database is lost", async () => {
    const id = await create()
    const lines: string[] = []
    const { jobs } = registry
    let ends = 0
    const lostBeat = Promise.withResolvers<void>()
    const claim: typeof jobs.claim = async (job) => {
      const run = await jobs.claim(job)
      if (run === undefined) return undefined
      return {
        ...run,
        async beat(news) {
          const status = await run.beat(news)
          if (status === undefined) lostBeat.resolve()
          return status
        },
        async end(how) {
          const recorded = await run.end(how)
          if (++ends > 1) return recorded
          // Meanwhile a beat sees that the lease is gone.
          await lostBeat.promise
          throw new AssayError("unavailable", "The database does not respond.")
        },
      }
    }
    await start(
      countingEvaluate([], () => setTimeout(1)),
      {
        jobs: { ...jobs, claim },
        openOutages: (_onLog, hurry) =>
          createOutages({
            now: Date.now,
            random: () => 0,
            sleep: () => setTimeout(1),
            hurry,
            onBegin: ({ message }) => lines.push(message),
          }),
      },
    )
    await until(id, "COMPLETED")
    await expect.poll(() => kept).toEqual(["COMPLETED"])
    expect(ends).toBe(2)
    expect(lines).toEqual(["The database does not respond."])
  })
})

const pin = (url: string, sha256: string): DatasetPin => ({
  files_url: url,
  fileset: "default/q",
  fileset_id: "fileset-1",
  revision: null,
  files: [{ path: "a.jsonl", size: 1, sha256, etag: null }],
})

describe("pins of a job that another runner continues", () => {
  it("report the datasets that have changed", verifies("eval.pins"), () => {
    expect(changedPins([pin("a", "1"), pin("b", "1")], [pin("a", "1"), pin("b", "2"), pin("c", "3")])).toEqual([
      expect.stringContaining("Dataset b has changed"),
    ])
    expect(changedPins([], [pin("a", "1")])).toEqual([])
  })
})
