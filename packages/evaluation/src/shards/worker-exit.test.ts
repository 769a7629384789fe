import type { WorkspaceLimits } from "@assay/registry"
import { startFakeInference, type FakeModel } from "@assay/testkit"
import { expect, it } from "vitest"
import { journalInDatabase } from "../journal/journal-in-database.ts"
import { createInProcessQueue } from "../queue/in-process-queue.ts"
import { runEvaluation } from "../runner/run-evaluation.ts"
import { startRunner } from "../runner/start-runner.ts"
import { openFolderDatastore } from "../testing/folder-datastore.ts"
import { openJobRegistry } from "../testing/open-job-registry.ts"
import { testEnvironment } from "../testing/test-environment.ts"
import { startShardWorkers } from "./start-shard-workers.ts"

const echo: FakeModel = ({ messages }) => ({ content: String(messages.at(-1)?.content) })
const LOG = { info: () => {}, warn: () => {} }

/** Ends only with its signal. */
const sleepForever = (_: number, signal?: AbortSignal) =>
  new Promise<void>((_resolve, reject) => signal?.addEventListener("abort", () => reject(new Error("woken"))))

interface Options {
  readonly sleep?: typeof sleepForever
  readonly limits?: WorkspaceLimits
  /** Of the workers. */
  readonly beatMs?: number
}

/** Runs a job of three shards on one worker. */
async function runJob({ sleep, limits, beatMs = 10 }: Options) {
  await using resources = new AsyncDisposableStack()
  const [test, datastore, fake] = await Promise.all([
    openJobRegistry(),
    openFolderDatastore(),
    startFakeInference({ models: { echo } }),
  ])
  for (const one of [test, datastore]) resources.use(one)
  resources.defer(() => fake.close())
  await datastore.add("rows", { "rows.jsonl": Array.from({ length: 30 }, (_, word) => `{"word":${word}}`).join("\n") })
  const { jobs } = test.registry
  const basis = { jobs, now: Date.now, log: LOG, beatMs: 10 }
  const workers = startShardWorkers({
    ...basis,
    limits,
    beatMs,
    openSetting: async () => ({ environment: testEnvironment(datastore), close: async () => {} }),
    concurrency: 1,
  })
  resources.defer(() => workers.close())
  const runner = await startRunner({
    ...basis,
    queue: createInProcessQueue(),
    async openSetting(run) {
      const journal = journalInDatabase(await run.openJournal())
      return {
        environment: testEnvironment(datastore, sleep === undefined ? {} : { sleep }),
        journal,
        shards: run.shards,
        filesUrl: null,
        stageResults: async () => ({ results: { folder: run.folder }, settle: async () => {} }),
        close: () => journal.close(),
      }
    },
    evaluate: runEvaluation,
    concurrency: 1,
    onShards: () => workers.look(),
  })
  resources.defer(() => runner.close())
  const { id } = await jobs.create({
    namespace: "default",
    target: { type: "model", model: { api_endpoint: { url: fake.url, model_id: "echo" } } },
    config: {
      type: "custom",
      params: { shard_rows: 10, parallelism: 4 },
      tasks: {
        qa: { params: { template: "{{ item.word }}" }, dataset: "default/rows", metrics: { t: { type: "tokens" } } },
      },
    },
  })
  await expect.poll(async () => (await jobs.get(id)).status, { timeout: 20_000, interval: 10 }).toBe("COMPLETED")
  return jobs.get(id)
}

it("A job in shards ends with the last worker of its process, and does not wait for the next look", async () => {
  const { status_details } = await runJob({ sleep: sleepForever })
  expect(status_details.samples_processed).toBe(30)
})

it("A worker stays with its job if its workspace may have no more shards until one is done", async () => {
  const { status_details } = await runJob({ limits: { maxShards: 2 }, beatMs: 60_000 })
  expect(status_details.samples_processed).toBe(30)
})
