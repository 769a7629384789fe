import { type FakeInference, startFakeInference, verifies } from "@assay/testkit"
import { afterAll, beforeAll, expect, it } from "vitest"
import { CHECK, EVALUATION, GIVEN } from "../testing/evaluation-bodies.ts"
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
it(
  "A client of the first version can create a target, run a job and download the archive",
  verifies(
    "eval.launch",
    "eval.wire-words",
    "eval.wire-scores",
    "brief.evaluation.names",
    "brief.evaluation.dataset-by-url",
    "brief.versioning.evaluation",
  ),
  async () => {
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
            same: { type: "em", params: { ground_truth: "{{ item.answer }}" } },
            words: { type: "f1", params: { ground_truth: "{{ item.answer }}" } },
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
    const scoresOf = (metric: string) => Object.keys(tasks.qa.metrics[metric].scores)
    expect([scoresOf("bleu"), scoresOf("same"), scoresOf("words")]).toEqual([["bleu_score", "corpus"], ["em"], ["f1"]])
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
  },
)

it(
  "Models and judges that are given by name are asked at the default endpoint of the server",
  verifies("eval.default-endpoint"),
  async () => {
    const closed = { ASSAY_AUTH: "tokens", ASSAY_WIRE_NAMES: "vendor" }
    const rows = [{ some_input: "Do you agree?", expected: "Do you agree?" }]
    const judge = { model: "echo", template: { messages: [{ role: "user", content: "SCORE: 4" }] } }
    const scores = { good: { type: "int", parser: { type: "regex", pattern: "SCORE: (\\d)" } } }
    const body = {
      target: { type: "model", name: "by-name", model: "echo" },
      config: {
        type: "custom",
        tasks: {
          qa: {
            type: "chat-completion",
            params: { template: { messages: [{ role: "user", content: "{{ item.some_input }}" }] } },
            dataset: { files_url: `hf://datasets/${NAMESPACE}/named/rows.jsonl` },
            metrics: {
              same: {
                type: "string-check",
                params: { check: ["{{ sample.output_text }}", "equals", "{{ item.expected }}"] },
              },
              judge: { type: "llm-judge", params: { ...judge, scores } },
            },
          },
        },
      },
    }
    const asked = await startTestServer({ ASSAY_DEFAULT_INFERENCE_URL: `${fake.url}/v1`, ASSAY_WIRE_NAMES: "vendor" })
    try {
      await asked.call("POST", ENTITIES, { json: { name: NAMESPACE } })
      await asked.call("POST", `${FILES}/${NAMESPACE}/filesets`, { json: { name: "named", purpose: "dataset" } })
      const lines = rows.map((row) => JSON.stringify(row)).join("\n")
      await asked.call("PUT", `${FILES}/${NAMESPACE}/filesets/named/-/rows.jsonl`, { body: lines })
      const { json: job } = await asked.call("POST", `${EVALUATION}/jobs`, { json: { ...body, namespace: NAMESPACE } })
      expect(job.target.model).toEqual({ api_endpoint: { url: `${fake.url}/v1`, model_id: "echo" } })
      await expect
        .poll(async () => (await asked.call("GET", `${EVALUATION}/jobs/${job.id}`)).json.status)
        .toBe("completed")
      const { tasks } = (await asked.call("GET", `${EVALUATION}/jobs/${job.id}/results`)).json
      expect(tasks.qa.metrics.same.scores["string-check"].value).toBe(1)
      expect(tasks.qa.metrics.judge.scores.good.value).toBe(4)
    } finally {
      await asked[Symbol.asyncDispose]()
    }
    const refused = await post("targets", { type: "model", name: "by-name", model: "meta/llama" })
    expect([refused.status, refused.json.detail[0]]).toMatchObject([
      422,
      { loc: ["body", "model"], type: "no_default_endpoint" },
    ])
    expect(refused.json.detail[0].msg).toContain("ASSAY_DEFAULT_INFERENCE_URL")
    await expect(startTestServer({ ...closed, ASSAY_DEFAULT_INFERENCE_URL: "http://u:p@host/v1" })).rejects.toThrow(
      /ASSAY_DEFAULT_INFERENCE_URL/,
    )
  },
)

it(
  "With vendor names, every status in a response is a word of the first version",
  verifies("eval.wire-words"),
  async () => {
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
  },
)

it(
  "Unknown fields of a launch are refused, and those of its target and configuration are kept",
  verifies("requests.unknown-keys"),
  async () => {
    const body = {
      target: { ...GIVEN, kept: [1] },
      config: { ...CHECK, kept: { a: 1 } },
      ownership: { created_by: "me" },
    }
    const { status, json } = await post("jobs", { ...body, status: "created", result: null })
    expect([status, json]).toMatchObject([
      201,
      { target: { kept: [1] }, config: { kept: { a: 1 } }, ownership: body.ownership },
    ])
    for (const route of ["jobs", "jobs/check", "live"]) {
      const gates = await post(route, { ...body, gates: { "qa.accuracy": ">= 0.5" }, descripton: "" })
      expect([gates.status, gates.json.detail]).toMatchObject([
        422,
        [
          { loc: ["body", "gates"], type: "extra_forbidden", msg: expect.stringContaining("Unknown field 'gates'") },
          { loc: ["body", "descripton"], msg: "Unknown field 'descripton'; did you mean 'description'?" },
        ],
      ])
    }
  },
)

it("A launch that names several things that do not exist names all of them", verifies("launch.together"), async () => {
  for (const route of ["jobs", "jobs?skip_validation_checks=1", "jobs/check", "live"]) {
    const both = await post(route, { target: "default/gone", config: "default/check" })
    expect([both.status, both.json.failed_checks.map(({ message }: { message: string }) => message)]).toEqual([
      400,
      [expect.stringContaining("'gone' not found"), expect.stringContaining("'check' not found")],
    ])
  }
})
