import { startFakeInference, type FakeInference } from "@assay/testkit"
import { afterAll, beforeAll, expect, it } from "vitest"
import { EVALUATION } from "../testing/evaluation-bodies.ts"
import { readZip } from "../testing/read-zip.ts"
import { ENTITIES, FILES, startTestServer, type TestServer } from "../testing/start-test-server.ts"

const NAMESPACE = "my-organization"

let server: TestServer
let fake: FakeInference
beforeAll(async () => {
  fake = await startFakeInference()
  server = await startTestServer({ ASSAY_WIRE_NAMES: "vendor" })
  await server.call("POST", ENTITIES, { json: { name: NAMESPACE } })
  await server.call("POST", `${FILES}/${NAMESPACE}/filesets`, { json: { name: "qa", purpose: "dataset" } })
  const rows = [{ messages: [{ role: "user", content: "Paris is in France" }], answer: "Paris is in France" }]
  await server.call("PUT", `${FILES}/${NAMESPACE}/filesets/qa/-/test.json`, { body: JSON.stringify(rows) })
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await fake.close()
})

const accept = { accept: "application/json" }
const post = (path: string, json: unknown) => server.call("POST", `${EVALUATION}/${path}`, { json, headers: accept })
const get = (path: string) => server.call("GET", `${EVALUATION}/${path}`, { headers: accept })

/** Target, configuration, job, status, results and archive: what a client of the first version does, as it writes it. */
it("serves a client of the first version from the target to the archive [eval.launch, eval.wire-words, brief.evaluation.names, brief.evaluation.dataset-by-url, brief.versioning.evaluation]", async () => {
  const target = await post("targets", {
    type: "model",
    name: "my-target",
    namespace: NAMESPACE,
    description: null,
    model: {
      name: "model-1",
      namespace: "default",
      api_endpoint: { url: `${fake.url}/v1/chat/completions`, model_id: "echo", format: "nim" },
    },
  })
  const config = await post("configs", {
    type: "custom",
    name: "my-config",
    namespace: NAMESPACE,
    params: { parallelism: 4, extra: {} },
    tasks: {
      qa: {
        type: "chat-completion",
        params: { template: { messages: "{{ item.messages | tojson }}", max_tokens: 20, temperature: 0.7 } },
        dataset: { files_url: `hf://datasets/${NAMESPACE}/qa/test.json`, limit: 10 },
        metrics: {
          bleu: { type: "bleu", params: { references: ["{{ item.answer }}"] } },
          rouge: { type: "rouge", params: { ground_truth: "{{ item.answer }}" } },
          check: {
            type: "string-check",
            params: { check: ["{{ sample.output_text }}", "contains", "{{ item.answer }}"] },
          },
        },
      },
    },
  })
  expect([target.status, config.status]).toEqual([201, 201])
  const names = { target: `${NAMESPACE}/my-target`, config: `${NAMESPACE}/my-config` }
  const { json: job } = await post("jobs", { namespace: NAMESPACE, ...names, project: null, ownership: null })
  expect([job.status, job.result, job.output_files_url]).toEqual(["created", null, null])

  let status = job.status
  while (["created", "running"].includes(status)) status = (await get(`jobs/${job.id}`)).json.status
  expect(status).toBe("completed")
  const { json: told } = await get(`jobs/${job.id}/status`)
  expect(told).toMatchObject({ status: "completed", task_status: { qa: "completed" }, progress: 100 })

  const { tasks } = (await get(`jobs/${job.id}/results`)).json
  expect(tasks.qa.metrics.bleu.scores.corpus.value).toBeCloseTo(100)
  expect(tasks.qa.metrics.rouge.scores.rouge_1_score.value).toBe(1)
  expect(tasks.qa.metrics.check.scores["string-check"]).toMatchObject({ value: 1, stats: { count: 1, mean: 1 } })
  const archive = await get(`jobs/${job.id}/download-results`)
  expect([archive.headers["content-type"], Object.keys(readZip(archive.bytes))]).toEqual([
    "application/zip",
    expect.arrayContaining(["results/results.json", "results/evaluation.log"]),
  ])
  const listed = await get(
    `jobs?filter[status]=completed&filter[target]=${names.target}&filter[config]=${names.config}`,
  )
  expect(listed.json.data.map(({ id, status }: { id: string; status: string }) => [id, status])).toEqual([
    [job.id, "completed"],
  ])
})

it("answers with the words of the first version, wherever a status stands [eval.wire-words]", async () => {
  const body = {
    target: { type: "rows", rows: [{ some_input: "Do you agree?", some_output: "yes", expected: "yes" }] },
    config: {
      type: "custom",
      tasks: {
        qa: {
          type: "data",
          metrics: {
            accuracy: { type: "string-check", params: { check: ["{{some_output}}", "contains", "{{expected}}"] } },
          },
        },
      },
    },
  }
  const live = await post("live", body)
  expect(live.json).toMatchObject({ status: "completed", status_details: { task_status: { qa: "completed" } } })
  const { json } = await post("jobs", body)
  const events = await get(`jobs/${json.id}/events`)
  const statuses = [...events.text.matchAll(/event: status\ndata: (.*)/g)].map(
    ([, data]) => JSON.parse(data ?? "").status,
  )
  expect(statuses).toEqual(["created", "running", "completed"])
  expect((await get(`jobs/${json.id}/explain`)).json.status).toBe("completed")
  expect((await server.call("POST", `${EVALUATION}/jobs/${json.id}/retry-failed`)).json.status).toBe("created")
  await expect.poll(async () => (await get(`jobs/${json.id}`)).json.status).toBe("completed")
})
