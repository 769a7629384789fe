import { outputDigest } from "@assay/results/testing"
import { createHash } from "node:crypto"
import type { JobRun } from "@assay/registry"
import type { EvaluationConfigBody, EvaluationResult, JobStatus, LabelRow } from "@assay/schemas"
import { type FakeInference, type FakeModel, startFakeInference, verifies } from "@assay/testkit"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { journalInDatabase } from "@assay/evaluation"
import { createInProcessQueue } from "../queue/in-process-queue.ts"
import type { JobSetting } from "../runner/job-setting.ts"
import { runEvaluation } from "@assay/attempts"
import { type Runner, startRunner } from "../runner/start-runner.ts"
import { type FolderDatastore, openFolderDatastore, testEnvironment } from "@assay/evaluation/testing"
import { createShardSender } from "../queue/shard-queue.ts"
import { openSharedJobs, type SharedJobs } from "../testing/open-shared-jobs.ts"
import { queuedShards } from "./queued-shards.ts"
import { type ShardWorkers, startShardWorkers } from "./start-shard-workers.ts"

const ROWS = 96
const DEADLINE = { timeout: 40_000, interval: 5 }
const LOG = {
  info: () => {},
  warn: ({ err }: { err?: unknown }, message: string) => expect.fail(`${message}: ${String(err)}`),
}

/** Answers that differ between rows, so that sums of scores depend on their order if they are not exact. */
const answerTo = (question: string) => createHash("sha256").update(question).digest("hex").slice(0, 12)

const rowAt = (row: number) => ({
  question: `q${row}`,
  answer: answerTo(`q${row}`).slice(0, row % 12),
  kind: `${row % 5}`,
})

/** Labels of people for every fourth row. */
const LABELS = Array.from({ length: ROWS / 4 }, (_, at): LabelRow => {
  const item = rowAt(4 * at)
  const sample = { response: null, usage: null, latency_ms: null, finish_reason: null }
  return {
    digest: outputDigest({ item, sample: { ...sample, output_text: answerTo(item.question) } }),
    metric: "edit.chrf",
    label: (at % 3) / 2,
    author: null,
    created_at: "2026-11-24T00:00:00.000Z",
    probability: 1,
    job: "eval-1",
    task: "qa",
    row_index: 4 * at,
    repeat: 0,
  }
})

const METRICS = {
  edit: { type: "chrf", params: { ground_truth: "{{ item.answer }}" }, labels: "default/labels" },
  same: {
    type: "string-check",
    params: { check: ["{{ sample.output_text }}", "startswith", "{{ item.answer }}"] },
  },
}
type Metrics = Partial<typeof METRICS>
/** Corrected means take half a second of processor time each. */
const PLAIN: Metrics = { same: METRICS.same }

describe("a job in shards", () => {
  let test: SharedJobs
  let datastore: FolderDatastore
  let fake: FakeInference
  let asked: string[]
  /** How often runners of jobs read lines and facts. */
  let readings: { lines: number; facts: number }
  let answer: FakeModel
  const closers: Pick<Runner | ShardWorkers, "close">[] = []
  beforeEach(async () => {
    asked = []
    readings = { lines: 0, facts: 0 }
    answer = ({ messages }) => ({ content: answerTo(String(messages.at(-1)?.content)) })
    const echo: FakeModel = (request) => {
      asked.push(String(request.messages.at(-1)?.content))
      return answer(request)
    }
    ;[test, datastore, fake] = await Promise.all([
      openSharedJobs(),
      openFolderDatastore(),
      startFakeInference({ models: { echo } }),
    ])
    const rows = Array.from({ length: ROWS }, (_, row) => Object.values(rowAt(row)).join(","))
    await datastore.add("rows", { "rows.csv": ["question,answer,kind", ...rows, ""].join("\n") })
  })
  afterEach(async () => {
    for (const one of closers.splice(0)) await one.close()
    await Promise.all([fake.close(), datastore[Symbol.asyncDispose](), test[Symbol.asyncDispose]()])
  })

  const environment = () =>
    testEnvironment(datastore, { readLabels: async () => ({ name: "default/labels", rows: LABELS }) })

  async function openSetting(run: JobRun): Promise<JobSetting> {
    const stored = await run.openJournal()
    const journal = journalInDatabase({
      ...stored,
      async *bytes(signal) {
        for await (const piece of stored.bytes(signal)) yield ((readings.lines++, piece))
      },
      async *batches(signal) {
        for await (const { facts, lines } of stored.batches(signal)) {
          if (facts !== undefined) readings.facts++
          yield { facts, lines: () => (readings.lines++, lines()) }
        }
      },
    })
    const settle = async () => {}
    return {
      environment: environment(),
      journal,
      shards: queuedShards(run, createShardSender(test.boss)),
      filesUrl: null,
      stageResults: async () => ({ results: { folder: run.folder }, settle }),
      close: () => journal.close(),
    }
  }

  async function startJobs(): Promise<Runner> {
    const { jobs } = test.registry
    const queue = createInProcessQueue()
    const basis = {
      jobs,
      queue,
      openSetting,
      evaluate: runEvaluation,
      now: Date.now,
      elapsed: () => performance.now(),
      log: LOG,
    }
    const runner = await startRunner({ ...basis, concurrency: 1, beatMs: 10 })
    closers.push(runner)
    return runner
  }

  async function startWorkers(open = environment): Promise<ShardWorkers> {
    const registry = await test.openAnother()
    const { jobs } = registry
    const setting = async () => ({ environment: open(), close: async () => {} })
    const workers = startShardWorkers({
      jobs,
      boss: await test.openBoss(registry),
      pollMs: 20,
      openSetting: setting,
      now: Date.now,
      elapsed: () => performance.now(),
      concurrency: 2,
      log: { ...LOG, warn: () => {} },
      beatMs: 10,
    })
    closers.push(workers)
    return workers
  }

  async function create(params: EvaluationConfigBody["params"] = {}, metrics: Metrics = PLAIN): Promise<string> {
    const task = { params: { template: "{{ item.question }}" }, dataset: "default/rows", metrics }
    const config: EvaluationConfigBody = {
      type: "custom",
      params: { shard_rows: 10, parallelism: 8, max_retries: 0, ...params },
      tasks: { qa: task },
    }
    const target = { type: "model", model: { api_endpoint: { url: fake.url, model_id: "echo" } } } as const
    return (await test.registry.jobs.create({ namespace: "default", target, config })).id
  }

  async function until(id: string, ...statuses: readonly JobStatus[]) {
    await expect.poll(async () => statuses.includes((await test.registry.jobs.get(id)).status), DEADLINE).toBe(true)
    return test.registry.jobs.get(id)
  }
  const ended = (id: string) => until(id, "COMPLETED", "FAILED", "CANCELLED")
  const scoresOf = async (id: string) => ((await test.registry.jobs.getResult(id)) as EvaluationResult).tasks
  const isSharded = async (id: string) => {
    const events = await test.registry.jobs.listEvents(id, 0, 1000)
    return events.some(({ data }) => JSON.stringify(data).includes("The rows are cut into"))
  }

  it("has the results of a job that one worker runs, to the last bit", verifies("run.shards"), async () => {
    await startJobs()
    await startWorkers()
    await startWorkers()
    const params = { repeats: 2, slices: ["kind", "answer"] }
    const [id, alone] = [await create(params, METRICS), await create({ ...params, shard_rows: 1000 }, METRICS)]
    const job = await ended(id)
    await ended(alone)
    expect([await isSharded(id), await isSharded(alone)]).toEqual([true, false])
    expect(job).toMatchObject({
      status: "COMPLETED",
      status_details: { samples_processed: 2 * ROWS, samples_total: 2 * ROWS, samples_failed: 0, progress: 100 },
    })
    expect(asked).toHaveLength(4 * ROWS)
    const scores = await scoresOf(id)
    expect(JSON.stringify(scores)).toBe(JSON.stringify(await scoresOf(alone)))
    expect(scores["qa"]?.metrics["edit"]?.scores["chrf"]?.stats).toMatchObject({ count: 2 * ROWS })
    expect(scores["qa"]?.metrics["edit"]?.scores["chrf"]?.corrected).toMatchObject({
      rows: ROWS,
      labels: LABELS.length,
      elsewhere: 0,
      corrected: { interval: { method: "bayesian-bootstrap" } },
    })
    const [byKind] = scores["qa"]?.metrics["edit"]?.scores["chrf"]?.slices ?? []
    expect(byKind?.groups.map(({ name, scored }) => [name, scored])).toEqual([
      ["0", 40],
      ...["1", "2", "3", "4"].map((name) => [name, 38]),
    ])
  })

  it("reads no row again for its scores", verifies("shards.facts"), async () => {
    await startJobs()
    await startWorkers()
    const params = { repeats: 2, slices: ["kind"], cluster_by: "kind" }
    const ids = [await create(params), await create({ ...params, shard_rows: 1000 })]
    for (const id of ids) await ended(id)
    const [scores, alone] = await Promise.all(ids.map((id) => scoresOf(id)))
    expect(JSON.stringify(scores)).toBe(JSON.stringify(alone))
    expect(scores?.["qa"]?.metrics["same"]?.scores["string-check"]?.stats).toMatchObject({ count: 176, nan_count: 16 })
    expect(readings).toEqual({ lines: 0, facts: 10 })
  })

  it("has the conditions of a job that one worker runs, word for word", verifies("units.same-results"), async () => {
    answer = ({ messages }) => {
      const question = String(messages.at(-1)?.content)
      const error = { message: "the context is too long: at most 4096 tokens", code: "context_length_exceeded" }
      if (question.endsWith("7")) return { fault: { kind: "answer", status: 400, body: { error } } }
      return { content: question.endsWith("3") ? "" : answerTo(question) }
    }
    await startJobs()
    await startWorkers()
    await startWorkers()
    const ids = [await create({ max_failed_share: 1 }), await create({ max_failed_share: 1, shard_rows: 1000 })]
    const [sharded, alone] = await Promise.all(ids.map((id) => ended(id)))
    const said = (job: typeof sharded) =>
      job?.conditions?.map(({ first_seen: _first, last_seen: _last, ...condition }) => condition)
    expect(said(sharded)?.length).toBeGreaterThan(1)
    expect(said(sharded)).toEqual(said(alone))
  })

  it("is cancelled on all workers, and resumed without a question twice", verifies("shards.cancel"), async () => {
    let release = () => {}
    const held = new Promise<void>((resolve) => (release = resolve))
    answer = async ({ messages }) => {
      const question = String(messages.at(-1)?.content)
      if (asked.length > 30) await held
      return { content: answerTo(question) }
    }
    const runner = await startJobs()
    await startWorkers()
    await startWorkers()
    const id = await create()
    await expect.poll(() => asked.length, DEADLINE).toBeGreaterThan(34)
    await test.registry.jobs.cancel(id)
    runner.cancel(id)
    const { status, status_details } = await ended(id)
    expect(status).toBe("CANCELLED")
    expect(status_details.samples_processed).toBeGreaterThanOrEqual(20)
    release()
    const before = asked.length
    const known = status_details.samples_processed ?? 0
    await test.registry.jobs.restart(id, { kind: "run" })
    expect(await ended(id)).toMatchObject({ status: "COMPLETED", status_details: { samples_processed: ROWS } })
    expect(asked.length - before).toBe(ROWS - known)
    expect(new Set(asked).size).toBe(ROWS)
  })

  it(
    "fails if more rows of all shards fail than may, and asks only those again",
    verifies("shards.retry"),
    async () => {
      let failing = true
      answer = ({ messages }) => {
        const question = String(messages.at(-1)?.content)
        if (failing && question.endsWith("7"))
          return { fault: { kind: "answer", status: 400, body: { error: { message: "no answer to that" } } } }
        return { content: answerTo(question) }
      }
      await startJobs()
      await startWorkers()
      const few = await create({ max_failed_share: 0.2 })
      const bad = ROWS / 10 - 0.6
      expect(await ended(few)).toMatchObject({ status: "COMPLETED", status_details: { samples_failed: bad } })
      const many = await create({ max_failed_share: 0.05 })
      const failed = await ended(many)
      expect(failed.status).toBe("FAILED")
      expect(failed.status_details.message).toMatch(
        /of the 96 rows of task "qa" had failed, max_failed_share allows 4; all with /,
      )
      failing = false
      asked = []
      await test.registry.jobs.restart(few, { kind: "retry-failed" })
      expect(await ended(few)).toMatchObject({ status: "COMPLETED", status_details: { samples_failed: 0 } })
      expect(asked.toSorted()).toEqual(["q17", "q27", "q37", "q47", "q57", "q67", "q7", "q77", "q87"])
      const scores = await scoresOf(few)
      expect(scores["qa"]?.metrics["same"]?.scores["string-check"]?.stats).toMatchObject({
        count: 88,
        nan_count: 8,
        mean: 1,
      })
    },
  )

  it.each(["run", "retry-failed"] as const)(
    "asks failed and remaining rows if it failed before its last row and is restarted with scope %s",
    verifies("eval.resume"),
    async (kind) => {
      let isDown = true
      answer = ({ messages }) => {
        if (isDown) return { fault: { kind: "answer", status: 400, body: { error: { message: "repair me" } } } }
        return { content: answerTo(String(messages.at(-1)?.content)) }
      }
      await startJobs()
      await startWorkers()
      const id = await create({ max_failed_share: 0.05 })
      expect(await ended(id)).toMatchObject({ status: "FAILED" })
      isDown = false
      await test.registry.jobs.restart(id, { kind })
      expect(await ended(id)).toMatchObject({
        status: "COMPLETED",
        status_details: { samples_processed: ROWS, samples_failed: 0 },
      })
    },
  )

  it("gets new scores without a question", async () => {
    await startJobs()
    await startWorkers()
    const id = await create()
    await ended(id)
    asked = []
    const metrics = { t: { type: "tokens" } }
    await test.registry.jobs.restart(id, { kind: "score", metrics: { qa: metrics } })
    expect(await ended(id)).toMatchObject({ status: "COMPLETED", status_details: { samples_processed: ROWS } })
    expect(asked).toEqual([])
    expect(Object.keys((await scoresOf(id))["qa"]?.metrics ?? {})).toEqual(["same", "t"])
  })

  it("ends at the first refused key, with its condition", async () => {
    answer = () => ({ fault: { kind: "answer", status: 401, body: { error: { message: "wrong key" } } } })
    await startJobs()
    await startWorkers()
    await startWorkers()
    const job = await ended(await create())
    expect(job).toMatchObject({ status: "FAILED", conditions: [{ code: "inference_unauthorized" }] })
    // Two workers have two shards each, and a shard asks at most 8 questions until it sees its first answer.
    expect(asked.length).toBeLessThanOrEqual(2 * 2 * 8)
  })

  it("goes on while its runner is replaced", verifies("shards.runner"), async () => {
    const first = await startJobs()
    await startWorkers()
    let isClosed = false
    answer = async ({ messages }) => {
      await expect.poll(() => isClosed || asked.length < 20, DEADLINE).toBe(true)
      return { content: answerTo(String(messages.at(-1)?.content)) }
    }
    const id = await create()
    await expect.poll(() => asked.length, DEADLINE).toBeGreaterThan(20)
    await first.close()
    isClosed = true
    await startJobs()
    expect(await ended(id)).toMatchObject({ status: "COMPLETED", status_details: { samples_processed: ROWS } })
    expect(new Set(asked).size).toBe(asked.length)
  })

  it("continues the shards of workers that stop", async () => {
    await startJobs()
    const first = await startWorkers()
    const id = await create()
    await expect.poll(() => asked.length, DEADLINE).toBeGreaterThan(10)
    await first.close()
    await startWorkers()
    expect(await ended(id)).toMatchObject({ status: "COMPLETED", status_details: { samples_processed: ROWS } })
    expect(new Set(asked).size).toBe(ROWS)
  })

  it("fails if one worker after another fails with the same rows", async () => {
    await startJobs()
    await startWorkers(() => {
      throw new Error("A fault of the program.")
    })
    const { status, conditions } = await ended(await create())
    expect(status).toBe("FAILED")
    expect(conditions).toMatchObject([
      { code: "runner_lost", message: expect.stringContaining("One worker after another stopped while it ran rows") },
    ])
    expect(asked).toEqual([])
  })
})
