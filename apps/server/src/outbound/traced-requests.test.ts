import { startFakeCollector, startFakeInference, verifies } from "@assay/testkit"
import { expect, it } from "vitest"
import { askConfig, EVALUATION, modelTarget } from "../testing/evaluation-bodies.ts"
import { remoteStorages, startRemoteBackends } from "../testing/start-remote-backends.ts"
import { FILES, startTestServer } from "../testing/start-test-server.ts"

it(
  "A server sends spans of its requests to storage and models, and of its jobs, inside what made them",
  verifies("telemetry.jobs", "telemetry.storage"),
  async () => {
    await using collector = await startFakeCollector()
    await using backends = await startRemoteBackends()
    const fake = await startFakeInference()
    let job = ""
    {
      await using server = await startTestServer({
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
        OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
        ASSAY_ALLOWED_HOSTS: "127.0.0.1",
      })
      const storage = remoteStorages(backends).hub
      await server.call("POST", `${FILES}/default/filesets`, { json: { name: "remote", storage } })
      const read = await server.call("GET", `${FILES}/default/filesets/remote/-/a.txt`)
      expect(read.text).toBe("hello")
      await server.call("POST", `${FILES}/default/filesets`, { json: { name: "words", purpose: "dataset" } })
      await server.call("PUT", `${FILES}/default/filesets/words/-/rows.jsonl`, { body: '{"word":"a"}\n' })
      const launched = await server.call("POST", `${EVALUATION}/jobs?skip_validation_checks=1`, {
        json: {
          target: modelTarget(fake.url),
          config: askConfig("assay://datasets/default/words/rows.jsonl"),
        },
      })
      job = launched.json.id
      const status = async () => (await server.call("GET", `${EVALUATION}/jobs/${job}`)).json.status
      await expect.poll(status).toBe("COMPLETED")
    }
    await fake.close()
    const spans = collector.spans()
    const parentOf = (name: string) => {
      const child = spans.findLast((span) => span.name === name)
      return [child?.kind, spans.find(({ spanId }) => spanId === child?.parentSpanId)?.name]
    }
    const CLIENT = 3
    expect(parentOf("GET")).toEqual([CLIENT, "GET /apis/files/v2/workspaces/:ws/filesets/:name/-/*"])
    const sent = spans.find(({ name }) => name === "GET")
    expect(sent?.attributes).toEqual({
      "http.request.method": "GET",
      "server.address": "127.0.0.1",
      "http.response.status_code": 200,
    })
    expect([parentOf("job"), parentOf("row"), parentOf("chat echo")]).toEqual([
      [1, undefined],
      [1, "job"],
      [CLIENT, "row"],
    ])
    expect(spans.find(({ name }) => name === "job")?.attributes).toMatchObject({ "assay.job.id": job })
  },
)
