import { startFakeInference, type FakeModel } from "@assay/testkit"
import { expect, it } from "vitest"
import { openFolderDatastore, testEnvironment } from "@assay/evaluation/testing"
import { openSharedJobs } from "../testing/open-shared-jobs.ts"
import { startShardRunner } from "../testing/start-shard-runner.ts"

const echo: FakeModel = ({ messages }) => ({ content: String(messages.at(-1)?.content) })

/** Ends only with its signal. */
const sleepForever = (_: number, signal?: AbortSignal) =>
  new Promise<void>((_resolve, reject) => signal?.addEventListener("abort", () => reject(new Error("woken"))))

interface Options {
  readonly sleep?: typeof sleepForever
  readonly maxPerWorkspace?: number
  /** Of the workers. */
  readonly beatMs?: number
}

/** Runs a job of three shards on one worker. */
async function runJob({ sleep, maxPerWorkspace, beatMs = 10 }: Options) {
  await using resources = new AsyncDisposableStack()
  const [test, datastore, fake] = await Promise.all([
    openSharedJobs(),
    openFolderDatastore(),
    startFakeInference({ models: { echo } }),
  ])
  for (const one of [test, datastore]) resources.use(one)
  resources.defer(() => fake.close())
  await datastore.add("rows", { "rows.jsonl": Array.from({ length: 30 }, (_, word) => `{"word":${word}}`).join("\n") })
  const { jobs } = test.registry
  const runner = { environment: testEnvironment(datastore, sleep === undefined ? {} : { sleep }) }
  resources.use(
    await startShardRunner({
      test,
      runner,
      workers: { environment: testEnvironment(datastore), maxPerWorkspace, beatMs },
    }),
  )
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
  const { status_details } = await runJob({ maxPerWorkspace: 2, beatMs: 60_000 })
  expect(status_details.samples_processed).toBe(30)
})
