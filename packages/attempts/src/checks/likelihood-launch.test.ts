import type { EvaluationConfigBody, EvaluationTargetBody } from "@assay/schemas"
import {
  createFakeLanguages,
  type FakeInference,
  type FakeLanguage,
  startFakeInference,
  verifies,
} from "@assay/testkit"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { likelihoodsOf } from "@assay/scoring/testing"
import { checkLaunch } from "./check-launch.ts"
import { createLaunchPorts } from "../testing/create-launch-ports.ts"
import {
  type FolderDatastore,
  openFolderDatastore,
  planOf,
  scorePlan,
  testEnvironment,
} from "@assay/evaluation/testing"

const lm = createFakeLanguages()["tiny-lm"] as FakeLanguage
const QUESTIONS = [
  { question: "The capital of France is", choices: ["Rome", "Paris"], answer: "Paris" },
  { question: "The capital of Italy is", choices: ["Rome", "Paris"], answer: 0 },
  { question: "The capital of Peru is ", choices: ["Oslo", "Lima", "Rome"], answer: "B" },
  // The longer choice is less likely, but more likely for each character.
  { question: "The cat sat on", choices: ["Rome", "the dog. Rome"], answer: "1" },
]
const TEXTS = ["The cat sat on the mat.", "The capital of Japan is Tokyo.", "The dog saw the cat."]

let server: FakeInference
let datastore: FolderDatastore
beforeAll(async () => {
  const languages = {
    "tiny-lm": lm,
    listed: { ...lm, gives: "prompt_logprobs" },
    begun: { ...lm, begin: "<s>" },
    none: { ...lm, gives: "none" },
  } as const
  server = await startFakeInference({ languages })
  datastore = await openFolderDatastore()
  const lines = (rows: readonly unknown[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join("")
  await datastore.add("questions", { "rows.jsonl": lines(QUESTIONS) })
  await datastore.add("texts", { "rows.jsonl": lines(TEXTS.map((text) => ({ text, before: "The" }))) })
})
afterAll(async () => {
  await server.close()
  await datastore[Symbol.asyncDispose]()
})

const targetOf = (model_id = "tiny-lm", format: object = { format: "completions" }): EvaluationTargetBody => ({
  type: "model",
  model: { api_endpoint: { url: server.url, model_id, ...format } },
})
const configOf = (type: string, dataset: string, task: object = {}): EvaluationConfigBody => ({
  type: "custom",
  tasks: { qa: { type, dataset: `default/${dataset}`, ...task } },
})

async function run(target: EvaluationTargetBody, config: EvaluationConfigBody) {
  const before = server.requests.length
  const rows = await scorePlan(await planOf(target, config, testEnvironment(datastore)))
  return { rows, requests: server.requests.slice(before).map(({ text }) => text) }
}

async function check(target: EvaluationTargetBody, config: EvaluationConfigBody) {
  const options = { signal: new AbortController().signal }
  return (await checkLaunch({ target, config, namespace: "default" }, createLaunchPorts(datastore), options)).failed
}

/** Returns the log-probability of a text after a context, as the model itself has it. */
function logprobOf(context: string, text: string, begin: readonly string[] = []): number {
  const before = lm.tokenize(context)
  const tokens = lm.tokenize(context + text)
  return tokens.reduce(
    (sum, token, at) =>
      at < before.length || (at === 0 && begin.length === 0)
        ? sum
        : sum + lm.logprob([...begin, ...tokens.slice(0, at)], token),
    0,
  )
}

describe("a task of multiple choices", () => {
  it(
    "scores each choice after its question, in one request for each row",
    verifies("metric.multiple-choice"),
    async () => {
      const { rows, requests } = await run(targetOf(), configOf("multiple-choice", "questions"))
      const scores = rows.map(({ outcomes }) => outcomes["multiple-choice"]?.scores)
      expect(scores.slice(0, 3)).toEqual([1, 2, 3].map(() => ({ acc: 1, acc_norm: 1, acc_bytes: 1 })))
      expect(scores[3]).toEqual({ acc: 0, acc_norm: 1, acc_bytes: 1 })
      expect(rows.map(({ sample }) => sample?.output_text)).toEqual(["Paris", "Rome", "Lima", "Rome"])
      expect(requests).toHaveLength(4)
      const [first] = requests.toSorted((a, b) => String(a?.["prompt"]).localeCompare(String(b?.["prompt"]))).slice(1)
      expect(first).toMatchObject({ prompt: expect.any(Array), echo: true, logprobs: 1, max_tokens: 1 })
      const [france] = rows
      const texts = france?.sample === undefined ? [] : likelihoodsOf(france.sample).texts
      expect(texts.map(({ text }) => text)).toEqual([" Rome", " Paris"])
      expect(texts[1]?.logprob).toBeCloseTo(logprobOf("The capital of France is", " Paris"), 10)
    },
  )

  it(
    "has the same scores from prompt_logprobs, and asks for echo once",
    verifies("metric.multiple-choice"),
    async () => {
      const config = configOf("multiple-choice", "questions", { params: { parallelism: 1 } })
      const [echoed, listed] = [await run(targetOf(), config), await run(targetOf("listed"), config)]
      expect(listed.rows.map(({ outcomes }) => outcomes)).toEqual(echoed.rows.map(({ outcomes }) => outcomes))
      expect(listed.requests.map((request) => [request?.["echo"], request?.["prompt_logprobs"]])).toEqual([
        [true, undefined],
        ...QUESTIONS.map(() => [undefined, 1]),
      ])
    },
  )
})

describe("a task of log-likelihoods", () => {
  it("has perplexities of all texts together, with intervals", verifies("metric.loglikelihood"), async () => {
    const template = { context: "<s>", text: "{{ item.text }}" }
    const plan = await planOf(
      targetOf("begun"),
      configOf("loglikelihood", "texts", { params: { template: "{{ item.text }}" } }),
      testEnvironment(datastore),
    )
    const [metric] = plan.tasks[0]?.metrics ?? []
    const corpus = metric?.createCorpusScores?.() ?? {}
    const rows = await scorePlan(plan)
    const nats = TEXTS.map((text) => -logprobOf("", text, ["<s>"]))
    expect(rows.map(({ outcomes }) => outcomes["loglikelihood"]?.scores["loglikelihood"])).toEqual(
      nats.map((one) => expect.closeTo(-one, 10)),
    )
    for (const { item, sample } of rows) {
      if (sample !== undefined) for (const one of Object.values(corpus)) one.add({ item, sample }, {})
    }
    const total = nats.reduce((sum, one) => sum + one, 0)
    const words = TEXTS.reduce((sum, text) => sum + text.split(" ").length, 0)
    const bytes = TEXTS.join("").length
    expect(Object.fromEntries(Object.entries(corpus).map(([name, one]) => [name, one.value()]))).toEqual({
      perplexity: expect.closeTo(Math.exp(total / 3), 6),
      word_perplexity: expect.closeTo(Math.exp(total / words), 8),
      byte_perplexity: expect.closeTo(Math.exp(total / bytes), 8),
      bits_per_byte: expect.closeTo(total / bytes / Math.log(2), 8),
    })
    // Three texts are too few for an interval.
    expect(corpus["word_perplexity"]?.interval?.()).toBeNull()
    for (let again = 0; again < 3; again++) {
      for (const { item, sample } of rows)
        if (sample !== undefined) corpus["word_perplexity"]?.add({ item, sample }, {})
    }
    const { low = 0, high = 0 } = corpus["word_perplexity"]?.interval?.() ?? {}
    expect([low < Math.exp(total / words), Math.exp(total / words) < high]).toEqual([true, true])
    expect(await check(targetOf("begun"), configOf("loglikelihood", "texts", { params: { template } }))).toEqual([])
  })
})

describe("the launch of such a task", () => {
  it("asks the endpoint for log-probabilities, and is refused without them", verifies("launch.logprobs"), async () => {
    const before = server.requests.length
    expect(await check(targetOf(), configOf("multiple-choice", "questions"))).toEqual([])
    expect(server.requests.slice(before).map(({ text }) => text)).toMatchObject([
      { echo: true, prompt: [expect.any(String), expect.any(String)] },
    ])
    expect(await check(targetOf("none"), configOf("loglikelihood", "texts"))).toMatchObject([
      {
        check: "endpoint",
        code: "parameter_unsupported",
        message: expect.stringContaining(
          "the answer to `echo` can't be used: it has log-probabilities of new tokens only",
        ),
        remedy: expect.stringContaining("`prompt_logprobs`"),
      },
    ])
  })

  it(
    "is refused for an endpoint of chats, and for a part that the template does not have",
    verifies("launch.logprobs"),
    async () => {
      const refused = async (...launch: Parameters<typeof check>) =>
        (await check(...launch)).map(({ message }) => message)
      expect(await refused(targetOf("chat", {}), configOf("loglikelihood", "texts"))).toEqual([
        expect.stringContaining("write `format: completions`"),
      ])
      const params = { template: { context: "a", options: [] } }
      expect(await refused(targetOf(), configOf("multiple-choice", "questions", { params }))).toEqual([
        expect.stringContaining("options: is not a part of this template; write {context, choices, answer, delimiter}"),
      ])
      expect(await refused(targetOf(), configOf("multiple-choice", "texts"))).toEqual([
        expect.stringContaining("reads 'choices'"),
        expect.stringContaining("reads 'answer'"),
      ])
    },
  )
})
