import { setTimeout as wait } from "node:timers/promises"
import type { EvaluationConfigBody, EvaluationResult } from "@assay/schemas"
import { startFakeInference, type FakeInference, type FakeModel } from "@assay/testkit"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { journalInDatabase } from "@assay/evaluation"
import { createInProcessQueue } from "../queue/in-process-queue.ts"
import { runEvaluation } from "@assay/attempts"
import { startRunner } from "../runner/start-runner.ts"
import { openJobSpending } from "../service/job-spending.ts"
import { type FolderDatastore, openFolderDatastore, testEnvironment } from "@assay/evaluation/testing"
import { createShardSender } from "../queue/shard-queue.ts"
import { openSharedJobs, type SharedJobs } from "../testing/open-shared-jobs.ts"
import { queuedShards } from "./queued-shards.ts"
import { startShardWorkers } from "./start-shard-workers.ts"

const ROWS = 200
const echo: FakeModel = async ({ messages }) => {
  await wait(250)
  return { content: String(messages.at(-1)?.content) }
}
const LOG = { info: () => {}, warn: () => {} }

describe("a job of a workspace with a budget", () => {
  let test: SharedJobs
  let datastore: FolderDatastore
  let fake: FakeInference
  const closers: { close(): Promise<void> }[] = []
  beforeEach(async () => {
    ;[test, datastore, fake] = await Promise.all([
      openSharedJobs(),
      openFolderDatastore(),
      startFakeInference({ models: { echo } }),
    ])
    const rows = Array.from({ length: ROWS }, (_, row) => JSON.stringify({ word: `word ${row}` }))
    await datastore.add("rows", { "rows.jsonl": rows.join("\n") })
  })
  afterEach(async () => {
    for (const one of closers.splice(0)) await one.close()
    await Promise.all([fake.close(), datastore[Symbol.asyncDispose](), test[Symbol.asyncDispose]()])
  })

  const openSpent = (registry = test.registry) => openJobSpending({ registry }, testEnvironment(datastore), "default")

  /** Runs a job on one runner and two workers with registries of their own, and returns its record. */
  async function runJob(shard_rows: number) {
    const runner = await startRunner({
      jobs: test.registry.jobs,
      queue: createInProcessQueue(),
      async openSetting(run) {
        const journal = journalInDatabase(await run.openJournal())
        const spent = openSpent()
        const settle = async () => {}
        return {
          environment: spent.environment,
          journal,
          shards: queuedShards(run, createShardSender(test.boss)),
          filesUrl: null,
          stageResults: async () => ({ results: { folder: run.folder }, settle }),
          async close() {
            await spent.close()
            await journal.close()
          },
        }
      },
      evaluate: runEvaluation,
      now: Date.now,
      elapsed: () => performance.now(),
      log: LOG,
      concurrency: 1,
      beatMs: 10,
    })
    closers.push(runner)
    for (let worker = 0; worker < 2; worker++) {
      const registry = await test.openAnother()
      const openSetting = async () => openSpent(registry)
      closers.push(
        startShardWorkers({
          jobs: registry.jobs,
          boss: await test.openBoss(registry),
          pollMs: 20,
          openSetting,
          now: Date.now,
          elapsed: () => performance.now(),
          concurrency: 2,
          log: LOG,
          beatMs: 10,
        }),
      )
    }
    const same = { type: "string-check", params: { check: ["{{ sample.output_text }}", "equals", "{{ item.word }}"] } }
    const task = { params: { template: "{{ item.word }}" }, dataset: "default/rows", metrics: { same } }
    const config: EvaluationConfigBody = { type: "custom", params: { shard_rows, parallelism: 8 }, tasks: { qa: task } }
    const target = { type: "model", model: { api_endpoint: { url: fake.url, model_id: "echo" } } } as const
    const { id } = await test.registry.jobs.create({ namespace: "default", target, config })
    const get = () => test.registry.jobs.get(id)
    await expect.poll(async () => (await get()).status, { timeout: 20_000, interval: 10 }).toBe("COMPLETED")
    return { job: await get(), result: await test.registry.jobs.getResult(id) }
  }

  it.each([
    ["on one worker", ROWS],
    ["in shards of several workers", 20],
  ])("%s ends when it is used up, and keeps every row that was asked", async (_where, shardRows) => {
    await test.registry.budgets.set("default", { max_requests: 30 })
    const { job, result } = await runJob(shardRows)
    const { message, budget_exhausted, samples_processed = 0 } = job.status_details
    expect(message).toBe(
      `Ended by max_requests of the budget of workspace 'default' after ${samples_processed} of 200 rows.`,
    )
    expect(budget_exhausted).toBe("max_requests")
    expect(samples_processed).toBeGreaterThanOrEqual(30)
    expect(samples_processed).toBeLessThanOrEqual(30 + 8)
    expect(fake.requests).toHaveLength(samples_processed)
    const { stats } = (result as EvaluationResult).tasks["qa"]?.metrics["same"]?.scores["string-check"] ?? {}
    expect(stats).toMatchObject({ scored: samples_processed, skipped: ROWS - samples_processed })
    const { usage, exhausted } = await test.registry.budgets.get("default")
    expect([usage.requests, exhausted]).toEqual([samples_processed, "max_requests"])
  })
})
