import { gzipSync, zstdCompressSync } from "node:zlib"
import type { EvaluationConfigBody } from "@assay/schemas"
import { type FakeInference, startFakeInference, verifies } from "@assay/testkit"
import { parquetWriteBuffer } from "hyparquet-writer"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openFolderDatastore, type FolderDatastore } from "../testing/folder-datastore.ts"
import { planOf, scorePlan } from "../testing/plan-of.ts"
import { testEnvironment } from "../testing/test-environment.ts"

let datastore: FolderDatastore
let server: FakeInference
const ROWS = [
  { question: "2+2?", answer: "4", response: "4" },
  { question: "3+3?", answer: "6", response: "7" },
]
const LINES = ROWS.map((row) => `${JSON.stringify(row)}\n`).join("")

function columnsOf(rows: readonly Readonly<Record<string, string>>[]) {
  return Object.keys(rows[0] ?? {}).map((name) => ({ name, data: rows.map((row) => row[name]) }))
}

beforeAll(async () => {
  datastore = await openFolderDatastore()
  server = await startFakeInference()
  await datastore.add("sums", {
    "a.json": JSON.stringify(ROWS),
    "a.jsonl": LINES,
    "a.csv": "question,answer,response\n2+2?,4,4\n3+3?,6,7\n",
    "a.jsonl.gz": gzipSync(LINES),
    "a.jsonl.zst": zstdCompressSync(Buffer.from(LINES)),
    "a.parquet": new Uint8Array(parquetWriteBuffer({ columnData: columnsOf(ROWS) })),
    "broken.jsonl": `${LINES}{"question"\n5\n`,
  })
  await datastore.add("splits", { "train-0.jsonl": '{"answer":"train"}\n', "test-0.jsonl": '{"answer":"test"}\n' })
})
afterAll(async () => {
  await server.close()
  await datastore[Symbol.asyncDispose]()
})

const dataset = (path: string) => ({ files_url: `assay://datasets/default/sums/${path}` })
const EM = { em: { type: "em", params: { ground_truth: "{{ item.answer }}" } } }

function customTask(task: NonNullable<EvaluationConfigBody["tasks"]>[string], params = {}): EvaluationConfigBody {
  return { type: "custom", params, tasks: { qa: { metrics: EM, ...task } } }
}

function model(model_id: string) {
  return {
    type: "model",
    model: { api_endpoint: { url: `${server.url}/v1`, model_id, api_key_secret: "the-key" } },
  } as const
}

describe("rows of a dataset", () => {
  it.each(["a.json", "a.jsonl", "a.csv", "a.jsonl.gz", "a.jsonl.zst", "a.parquet"])(
    "are read from %s and scored",
    verifies("run.formats"),
    async (path) => {
      const target = { type: "cached_outputs", cached_outputs: dataset(path) } as const
      const plan = await planOf(target, customTask({ type: "completion" }), testEnvironment(datastore))
      expect(plan.pins.map(({ files }) => files.map((file) => file.path))).toEqual([[path]])
      expect(await plan.tasks[0]?.rows.count(new AbortController().signal)).toBe(2)
      const scored = await scorePlan(plan)
      expect(scored.map(({ outcomes }) => outcomes["em"]?.scores["em_score"])).toEqual([1, 0])
    },
  )

  it("that can't be used have a fault, and the others are kept", async () => {
    const target = { type: "dataset", dataset: dataset("broken.jsonl") } as const
    const scored = await scorePlan(await planOf(target, customTask({ type: "data" }), testEnvironment(datastore)))
    expect(scored.map(({ fault }) => fault === undefined)).toEqual([true, true, false, false])
    expect(scored[2]?.fault).toMatch(/^The row in line 3 of '.+' is not JSON/)
    expect(scored[3]?.fault).toMatch(/^The row in line 4 of '.+' is not an object/)
  })

  it.each([
    [{ limit_samples: 1 }, {}, 1],
    [{}, { limit: 1 }, 1],
    [{ limit_samples: 3 }, { limit: 2 }, 2],
  ])("are no more than the limit: %j %j", async (params, limit, rows) => {
    const target = { type: "dataset", dataset: { ...dataset("a.jsonl"), ...limit } } as const
    const plan = await planOf(target, customTask({ type: "data" }, params), testEnvironment(datastore))
    expect(await plan.tasks[0]?.rows.count(new AbortController().signal)).toBe(rows)
    expect(await scorePlan(plan)).toHaveLength(rows)
  })

  it("end at the limit over all files, and have consecutive numbers", async () => {
    const target = { type: "dataset", dataset: { files_url: "default/sums#a.json*", limit: 7 } } as const
    const { tasks } = await planOf(target, customTask({ type: "data" }), testEnvironment(datastore))
    const rows = (await Array.fromAsync(tasks[0]?.rows.open(new AbortController().signal) ?? [])).flat()
    expect(rows.map(({ index }) => index)).toEqual([0, 1, 2, 3, 4, 5, 6])
  })

  it("come from the files of the split", async () => {
    const target = { type: "dataset", dataset: { files_url: "hf://datasets/default/splits", split: "test" } } as const
    const scored = await scorePlan(
      await planOf(
        target,
        customTask({ type: "data", metrics: { tokens: { type: "tokens" } } }),
        testEnvironment(datastore),
      ),
    )
    expect(scored.map(({ item }) => item["answer"])).toEqual(["test"])
    const other = planOf(
      { type: "dataset", dataset: { ...target.dataset, split: "dev" } },
      customTask({ type: "data" }),
      testEnvironment(datastore),
    )
    await expect(other).rejects.toMatchObject({
      code: "dataset_missing",
      message: expect.stringContaining("no file of the split 'dev'") as string,
    })
  })
})

describe("a target", () => {
  it("may contain rows", verifies("run.targets"), async () => {
    const scored = await scorePlan(await planOf({ type: "rows", rows: ROWS }, customTask({ type: "data" })))
    expect(scored.map(({ outcomes }) => outcomes["em"]?.scores["em_score"])).toEqual([1, 0])
  })

  it("that is a model is called for each row, with its key", verifies("run.targets"), async () => {
    const template = { messages: [{ role: "user", content: "{{ item.answer }}" }], max_tokens: 20 }
    const config = customTask(
      { type: "chat-completion", params: { template, temperature: 0.2 }, dataset: dataset("a.jsonl") },
      { temperature: 1, top_p: 0.5, max_tokens: 10, extra: { top_k: 3 } },
    )
    const scored = await scorePlan(await planOf(model("echo"), config, testEnvironment(datastore)))
    expect(scored.map(({ sample }) => sample?.output_text)).toEqual(["4", "6"])
    expect(scored[0]?.sample).toMatchObject({
      finish_reason: "stop",
      usage: { prompt_tokens: 1 },
      response: { choices: [{}] },
    })
    const request = server.requests.at(-1)
    expect(JSON.parse(request?.body ?? "")).toMatchObject({ temperature: 0.2, top_p: 0.5, max_tokens: 20, top_k: 3 })
    expect(request?.headers.authorization).toBe("Bearer value-of-the-key")
  })

  it("needs the fields of its type", verifies("launch.fit"), async () => {
    await expect(planOf({ type: "model" }, customTask({}))).rejects.toThrow(/target\.model: is missing/)
    await expect(planOf({ type: "rows" }, customTask({}))).rejects.toThrow(/target\.rows: has no rows/)
    await expect(planOf({ type: "cached_outputs" }, customTask({}))).rejects.toThrow(
      /target\.cached_outputs: is missing/,
    )
    await expect(
      planOf({ type: "dataset", dataset: {} }, customTask({}), testEnvironment(datastore)),
    ).rejects.toMatchObject({
      code: "dataset_format",
    })
  })
})

describe("a template", () => {
  const asked = async (template: unknown, row: Readonly<Record<string, unknown>>) => {
    await datastore.add("one", { "rows.jsonl": `${JSON.stringify(row)}\n` })
    const config = customTask({
      type: "chat-completion",
      params: { template },
      dataset: { files_url: "default/one" },
      metrics: { t: { type: "tokens" } },
    })
    await scorePlan(await planOf(model("chat"), config, testEnvironment(datastore)))
    const {
      model: _model,
      stream: _stream,
      ...sent
    } = JSON.parse(server.requests.at(-1)?.body ?? "") as Record<string, unknown>
    return sent
  }
  const messages = [{ role: "user", content: "Hi" }]
  const tools = [{ type: "function", function: { name: "f" } }]

  it.each<[string, unknown, Record<string, unknown>, unknown]>([
    [
      "is a list of messages",
      { messages: [{ role: "user", content: "{{item.q}} {{q}}" }] },
      { q: "a" },
      { messages: [{ role: "user", content: "a a" }] },
    ],
    [
      "is an expression that gives messages and tools",
      { messages: "{{ item.messages | tojson }}", tools: "{{ item.tools | tojson }}", tool_choice: "auto" },
      { messages, tools },
      { messages, tools, tool_choice: "auto" },
    ],
    [
      "gives lists as they are",
      { messages: "{{ item.messages }}", tools: "{{ item.tools }}" },
      { messages, tools: [] },
      { messages },
    ],
    [
      "is a prompt",
      { prompt: "Say {{ item.q }}", stop: ["x"] },
      { q: "a" },
      { messages: [{ role: "user", content: "Say a" }], stop: ["x"] },
    ],
    ["is a text", "Say {{ item.q }}", { q: 3 }, { messages: [{ role: "user", content: "Say 3" }] }],
    [
      "writes numbers as text",
      { messages: [{ role: "user", content: "{{ item.n }}" }] },
      { n: 3 },
      { messages: [{ role: "user", content: "3" }] },
    ],
    [
      "keeps the parts of a message",
      { messages: [{ role: "user", content: [{ type: "text", text: "{{q}}" }] }] },
      { q: "a" },
      { messages: [{ role: "user", content: [{ type: "text", text: "a" }] }] },
    ],
    ["may be left out where the row has messages", undefined, { messages }, { messages }],
  ])("%s", verifies("run.templates"), async (_, template, row, sent) => {
    expect(await asked(template, row)).toEqual(sent)
  })

  it("that reads an unknown name fails with the known names", verifies("run.templates"), async () => {
    await expect(asked({ prompt: "{{ item.qestion }}" }, { question: "a" })).rejects.toMatchObject({
      code: "template_error",
      message: expect.stringMatching(/qestion.*question/) as string,
    })
  })

  it("that returns no messages is refused", verifies("run.templates"), async () => {
    await expect(asked({ messages: "{{ item.q }}" }, { q: "a" })).rejects.toMatchObject({ code: "template_error" })
    await expect(asked({ messages: "{{ item.q | tojson }}" }, { q: [1] })).rejects.toThrow(/no list of messages/)
  })
})
