import { type FakeInference, startFakeCollector, startFakeInference, verifies } from "@assay/testkit"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { runCommand } from "../testing/run-command.ts"
import { makeTemporaryFolder } from "../testing/temporary-folder.ts"

const KEY = "sk-only-in-the-environment"
let model: FakeInference
beforeAll(async () => {
  model = await startFakeInference({ key: KEY })
})
afterAll(() => model.close())

const file = (url: string) => `
target: {type: model, model: {api_endpoint: {url: "${url}/v1", model_id: echo, api_key_env: MODEL_KEY}}}
config:
  type: custom
  tasks:
    say:
      type: chat-completion
      dataset: {files_url: ./rows.csv}
      params: {template: {messages: [{role: user, content: "{{ item.said }}"}]}}
      metrics: {same: {type: string-check, params: {check: ["{{ sample.output_text }}", equals, "{{ item.said }}"]}}}
`

function evaluate(words: readonly string[], env: Readonly<Record<string, string>>) {
  const folder = makeTemporaryFolder()
  folder.write("rows.csv", "said\nsecret words\n")
  folder.write("eval.yaml", file(model.url))
  return runCommand(["eval", "run", "eval.yaml", ...words], {
    cwd: folder.path,
    env: { MODEL_KEY: KEY, ...env },
  }).finally(() => folder[Symbol.dispose]())
}

describe("assay eval run with a collector", () => {
  it(
    "sends the trace of the run with its rows and their calls, and prints nothing more",
    verifies("telemetry.command"),
    async () => {
      await using collector = await startFakeCollector()
      const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_EXPORTER_OTLP_PROTOCOL: "http/json" }
      const { exitCode, stderr } = await evaluate([], env)
      expect([exitCode, stderr.includes("collector")]).toEqual([0, false])
      const spans = collector.spans()
      const [check, chat, row, job] = spans
      expect(spans.map(({ name }) => name)).toEqual(["chat echo", "chat echo", "row", "job"])
      // The launch checks ask the model, too.
      expect([check?.traceId === job?.traceId, chat?.parentSpanId, row?.parentSpanId]).toEqual([
        false,
        row?.spanId,
        job?.spanId,
      ])
      expect(job?.attributes).toMatchObject({ "assay.job.status": "COMPLETED", "assay.rows.processed": 1 })
      expect(collector.resources()[0]).toMatchObject({ "service.name": "assay-cli" })
      expect(collector.points().map(({ metric }) => metric)).toContain("gen_ai.client.token.usage")
      expect(collector.requests.every(({ body }) => !body.includes("secret words") && !body.includes(KEY))).toBe(true)
    },
  )

  it("ends as without it if the collector refuses, and says so", verifies("telemetry.command"), async () => {
    await using collector = await startFakeCollector((_request, response) => void response.writeHead(403).end())
    const { exitCode, stderr } = await evaluate([], { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: collector.url })
    expect([exitCode, stderr]).toEqual([0, expect.stringContaining("the collector takes no traces: Forbidden\n")])
  })

  it("exits with code 2 if the address is wrong", async () => {
    const { exitCode, stderr } = await evaluate([], { OTEL_EXPORTER_OTLP_ENDPOINT: "127.0.0.1:4318" })
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining("OTEL_EXPORTER_OTLP_ENDPOINT is not the address")])
  })
})
