import type { EvaluationConfigBody, EvaluationRow, EvaluationTargetBody } from "@assay/schemas"
import { type FakeInference, startFakeInference, verifies } from "@assay/testkit"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { openFolderDatastore, type FolderDatastore } from "../testing/folder-datastore.ts"
import { planOf } from "../testing/plan-of.ts"
import { testEnvironment } from "../testing/test-environment.ts"
import { renderRowRequests } from "./render-row-requests.ts"

let server: FakeInference
/** Number of requests of earlier tests. */
let before = 0
let datastore: FolderDatastore
beforeAll(async () => {
  datastore = await openFolderDatastore()
  await datastore.add("questions", { "rows.jsonl": `${JSON.stringify(ROW)}\n` })
  server = await startFakeInference({
    key: "value-of-the-key",
    models: {
      writer: () => ({ content: "An answer." }),
      judge: ({ messages }) => ({
        content: JSON.stringify(messages).includes("Rate") ? '{"score": 1}' : '{"rating": 4}',
      }),
      guard: () => ({ content: "no" }),
    },
  })
})
beforeEach(() => {
  before = server.requests.length
})
afterAll(async () => {
  await server.close()
  await datastore[Symbol.asyncDispose]()
})

const model = (model_id: string) => ({
  api_endpoint: { url: `${server.url}/v1`, model_id, api_key_secret: "the-key" },
})
const ROW = { question: "Why?", reference: "Because.", prompt: "How?", label: "safe" }

interface Job {
  readonly target: EvaluationTargetBody
  readonly config: EvaluationConfigBody
}

/** Runs the task of a job on one row, over real requests. Returns its line of the journal. */
async function lineOf({ target, config }: Job, item: object = ROW): Promise<EvaluationRow> {
  const plan = await planOf(target, config, testEnvironment(datastore))
  const { signal } = new AbortController()
  const options = { signal, onRetry: () => {} }
  const row = item as EvaluationRow["item"]
  try {
    const [task] = plan.tasks
    if (task === undefined) throw new Error("The plan has no task.")
    const { ask, metrics, name } = task
    const sample = ask.kind === "given" ? ask.take(row, 0) : await ask.call(row, { repeat: 0, ...options })
    const scores: Record<string, EvaluationRow["scores"][string]> = {}
    for (const metric of metrics) scores[metric.key] = (await metric.score({ item: row, sample }, options)).scores
    return { task: name, row_index: 0, repeat: 0, attempt: 1, item: row, sample, scores, error: null }
  } finally {
    await plan.close()
  }
}

const rendered = (job: Job, rows: readonly EvaluationRow[]) => renderRowRequests(job, rows, testEnvironment())

/** The bodies that the endpoint received, without the field that says how the answer is sent. */
const received = () => server.requests.slice(before).map(({ chat }) => ({ ...chat, stream: undefined }))

const asking = (): Job => ({
  target: { type: "model", model: model("writer") },
  config: {
    type: "custom",
    params: { temperature: 0.2 },
    tasks: {
      qa: {
        type: "chat-completion",
        dataset: { files_url: "default/questions" },
        params: { template: { prompt: "Q: {{ item.question }}", max_tokens: 7 } },
        metrics: {
          exact: { type: "string-check", params: { check: ["{{ sample.output_text }}", "equals", "x"] } },
          quality: {
            type: "llm-judge",
            params: {
              model: model("judge"),
              template: "Rate {{ sample.output_text }} for {{ item.question }}",
              scores: { score: { type: "int" } },
            },
          },
        },
      },
    },
  },
})

const agentic = (): Job => ({
  target: { type: "rows", rows: [{ ...ROW, response: "Since." }] },
  config: {
    type: "agentic",
    tasks: { agent: { type: "answer_accuracy", params: { judge: { model: model("judge") } } } },
  },
})

describe("the requests about a row", () => {
  it("are those that the target and its judges received", verifies("eval.rows.requests"), async () => {
    const job = asking()
    const row = await lineOf(job)
    const [found] = await rendered(job, [row])
    expect(found?.map(({ metric, reason }) => [metric, reason])).toEqual([
      [null, null],
      ["quality", null],
    ])
    expect(found?.flatMap(({ requests }) => requests.map(({ body }) => body))).toEqual(received())
    expect(received()[0]).toMatchObject({ temperature: 0.2, max_tokens: 7, messages: [{ content: "Q: Why?" }] })
    expect(JSON.stringify(found)).not.toContain("the-key")
  })

  it("are all questions of a metric that asks twice", async () => {
    const job = agentic()
    const row = await lineOf(job, { ...ROW, response: "Since." })
    const [found] = await rendered(job, [row])
    expect(found).toMatchObject([{ metric: "answer_accuracy", requests: [{ to: "judge" }, { to: "judge" }] }])
    expect(found?.[0]?.requests.map(({ body }) => body)).toEqual(received())
  })

  it("are the prompts of a guardrail's judges, which are not asked", async () => {
    const models = [{ type: "main", url: server.url, model: "guard", api_key_secret: "the-key" }]
    const guardrail = { data: { models, rails: { input: { flows: ["self check input"] } } } }
    const job: Job = {
      target: { type: "rows", rows: [ROW] },
      config: { type: "content_safety", tasks: { safety: { params: { guardrail } } } },
    }
    const row = await lineOf(job)
    const sent = received().map(({ messages }) => ({ to: "self check input", body: { messages } }))
    expect(await rendered(job, [row])).toEqual([[{ metric: null, requests: sent, reason: null }]])
    expect(received()).toHaveLength(1)
  })

  it("have a reason if they cannot be rendered again", async () => {
    const row = { ...(await lineOf(agentic(), { ...ROW, response: "Since." })) }
    const reasons = async (job: Job, changed: Partial<EvaluationRow> = {}) =>
      (await rendered(job, [{ ...row, task: "qa", ...changed }])).flat().map(({ reason }) => reason)
    const job = asking()
    expect(await reasons(job, { item: {}, sample: null })).toEqual([expect.stringContaining("question")])
    expect(await reasons({ ...job, config: { type: "benchmark" } })).toEqual([expect.stringContaining("harness")])
    expect(await reasons(job, { task: "gone" })).toEqual([expect.stringContaining("no task 'gone'")])
    const broken = { ...job.config, tasks: { qa: { ...job.config.tasks?.["qa"], params: { template: "{{" } } } }
    expect(await reasons({ ...job, config: broken })).toEqual([expect.stringMatching(/template/)])
    const stored: Job = {
      target: { type: "rows", rows: [ROW] },
      config: { type: "content_safety", tasks: { qa: { params: { guardrail: "removed" } } } },
    }
    expect(await reasons(stored, { sample: null, item: ROW })).toEqual(["Guardrail configuration 'removed' not found"])
  })

  it("are bounded in their number, their size and the steps of their templates", async () => {
    const row: EvaluationRow = {
      ...(await lineOf(agentic(), { ...ROW, response: "Since." })),
      task: "qa",
      sample: null,
    }
    const attempts = (template: string, count: number, text = "") => {
      const { target, config } = asking()
      const job = { target, config: { ...config, tasks: { qa: { ...config.tasks?.["qa"], params: { template } } } } }
      const rows = Array.from({ length: count }, (_, at) => ({
        ...row,
        attempt: at + 1,
        item: { question: `${at}${text}` },
      }))
      return rendered(job, rows)
    }
    const many = await attempts("{{ item.question }}", 102)
    expect(many.map(([one]) => one?.reason === null).lastIndexOf(true)).toBe(99)
    const costly = await attempts("{% for i in range(50000) %}{% endfor %}{{ item.question }}", 9)
    expect(costly.map(([one]) => one?.reason === null)).toEqual([
      true,
      true,
      true,
      ...Array.from({ length: 6 }, () => false),
    ])
    const large = await attempts("{{ item.question }}", 3, "x".repeat(3_000_000))
    expect(large.map(([one]) => one?.reason === null)).toEqual([true, false, false])
  })
})
