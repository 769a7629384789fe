import type { EvaluationConfigBody } from "@assay/schemas"
import { type Telemetry, openTelemetry, readTelemetrySettings } from "@assay/telemetry"
import { type CollectedSpan, type FakeModel, startFakeCollector, startFakeInference, verifies } from "@assay/testkit"
import { expect, it } from "vitest"
import { openFolderDatastore, testEnvironment } from "@assay/evaluation/testing"
import { openSharedJobs } from "../testing/open-shared-jobs.ts"
import { startShardRunner } from "../testing/start-shard-runner.ts"

const PROMPT = "a prompt that nobody collects"
const echo: FakeModel = ({ messages }) => ({ content: `an answer to ${String(messages.at(-1)?.content)}` })

it(
  "The trace of a job has its shards on all workers, their rows, and the calls of each row",
  verifies("telemetry.jobs", "telemetry.private"),
  async () => {
    await using resources = new AsyncDisposableStack()
    const [test, datastore, collector, fake] = await Promise.all([
      openSharedJobs(),
      openFolderDatastore(),
      startFakeCollector(),
      startFakeInference({ models: { echo } }),
    ])
    for (const one of [test, datastore, collector]) resources.use(one)
    resources.defer(() => fake.close())
    await datastore.add("rows", { "rows.jsonl": Array.from({ length: 6 }, () => '{"word":"w"}').join("\n") })

    const open = async (service: string): Promise<Telemetry> => {
      const to = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_EXPORTER_OTLP_PROTOCOL: "http/json" }
      const settings = readTelemetrySettings(to, service)
      if (settings === undefined) throw new Error("There is no endpoint.")
      return openTelemetry(settings, { version: "1", onRefused: () => {} })
    }
    const [running, working] = await Promise.all([open("runner"), open("worker")])
    const environmentOf = (telemetry: Telemetry) => {
      const plain = testEnvironment(datastore)
      return { ...plain, telemetry, inference: { ...plain.inference, telemetry } }
    }
    const { jobs } = test.registry
    const runner = await startShardRunner({
      test,
      runner: { environment: environmentOf(running), telemetry: running },
      workers: { environment: environmentOf(working), telemetry: working },
    })
    const length = { type: "string-check", params: { check: ["{{ sample.output_text }}", "contains", "answer"] } }
    const task = { params: { template: `{{ item.word }} ${PROMPT}` }, dataset: "default/rows", metrics: { length } }
    const config: EvaluationConfigBody = {
      type: "custom",
      params: { shard_rows: 2, parallelism: 2 },
      tasks: { qa: task },
    }
    const target = { type: "model", model: { api_endpoint: { url: fake.url, model_id: "echo" } } } as const
    const { id } = await jobs.create({ namespace: "default", target, config })
    await expect.poll(async () => (await jobs.get(id)).status, { timeout: 20_000, interval: 10 }).toBe("COMPLETED")
    await runner[Symbol.asyncDispose]()
    for (const one of [running, working]) await one.close()

    const spans = collector.spans()
    const named = (name: string) => spans.filter((span) => span.name === name)
    const parentOf = ({ parentSpanId }: CollectedSpan) => spans.find(({ spanId }) => spanId === parentSpanId)?.name
    const [job] = named("job")
    expect(job?.parentSpanId).toBeUndefined()
    expect(job?.attributes).toEqual({
      "assay.job.id": id,
      "assay.workspace": "default",
      "assay.job.type": "custom",
      "assay.job.attempt": 1,
      "assay.job.claim": 1,
      "assay.job.wait_seconds": expect.any(Number),
      "assay.job.status": "COMPLETED",
      "assay.rows.processed": 6,
      "assay.rows.failed": 0,
    })
    expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(new Set([job?.traceId]))
    expect(
      [named("shard"), named("row"), named("chat echo")].map((found) => [
        found.length,
        ...new Set(found.map(parentOf)),
      ]),
    ).toEqual([
      [3, "job"],
      [6, "shard"],
      [6, "row"],
    ])
    expect(named("row")[0]?.attributes).toMatchObject({ "assay.task": "qa", "assay.row.repeat": 0 })
    const result = {
      name: "gen_ai.evaluation.result",
      attributes: {
        "gen_ai.evaluation.name": expect.any(String),
        "gen_ai.evaluation.score.value": expect.any(Number),
        "gen_ai.response.id": expect.any(String),
      },
    }
    expect(named("row").map(({ events }) => events)).toEqual(named("row").map(() => [result]))
    expect(collector.requests.every(({ body }) => !body.includes("an answer") && !body.includes(PROMPT))).toBe(true)
  },
)
