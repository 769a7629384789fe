import { createHash } from "node:crypto"
import { fieldsOf } from "@assay/json"
import { createStepBudget } from "@assay/templates"
import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { runParams } from "../models/run-params.ts"
import { givenSample } from "../rows/given-answers.ts"
import { createModelPool } from "../models/model-pool.ts"
import { scoringEnvironment } from "../testing/scoring-environment.ts"
import type { RunProgram } from "./code/run-program.ts"
import { contentSafetyMetric } from "./content-safety-metric.ts"
import { withKeptFacts } from "./conversation/kept-facts.ts"
import { defineMetric } from "./define-metric.ts"
import type { MetricDefinition } from "./metric-definition.ts"
import { METRIC_VERSIONS } from "./metric-versions.ts"
import { rankingMetric } from "./retriever/ranking-metric.ts"

type Row = Readonly<Record<string, unknown>>

const model = { api_endpoint: { url: "http://127.0.0.1:9/v1", model_id: "judge" } }
const call = { function: { name: "find", arguments: '{"q": "x", "n": 2}' } }
const vectors = { api_endpoint: { ...model.api_endpoint, format: "embeddings" } }
const texts = [
  { output: "The cat sat on the mat, twice.", ref: "A cat sat on the mat." },
  { output: "Two dogs; 1,234.50 km!", ref: "two dogs 1234.5 km" },
  { output: "The answer", ref: "the answer" },
  { output: "fine", ref: "fine" },
  { output: "", ref: "nothing" },
]
const ref = "{{ item.ref }}"
const numbers = [
  { output: "so 12 apples. #### 1,234", ref: "#### 1234" },
  { output: "\\boxed{\\frac{1}{2}}", ref: "\\boxed{0.5}" },
  { output: "The answer is $18.", ref: "18" },
]
const calling = { choices: [{ message: { tool_calls: [call] } }] }
const tools = [{ name: "find", parameters: { properties: { q: { type: "string" }, n: { type: "integer" } } } }]
const likelihood = (logprob: number) => ({
  text: "ab",
  logprob,
  tokens: 2,
  is_greedy: logprob > -2,
  words: 1,
  bytes: 2,
})
const likelihoods = { texts: [likelihood(-1), likelihood(-3)], choices: ["a", "ééé"], answer: 1 }
const used = { choices: [{ message: { content: "x" } }], usage: { prompt_tokens: 10, completion_tokens: 5 } }
const talk = {
  user_input: [
    { role: "user", content: "Find x." },
    { role: "assistant", content: "Done.", tool_calls: [{ name: "find", args: { q: "x" } }] },
  ],
  reference: "x is found",
  reference_topics: ["search"],
  reference_tool_calls: [{ name: "find", args: { q: "x" } }],
  question: "Where is x?",
  generated_answer: "Here.",
  answer: "Here.",
  output: "Here.",
}

const retrieved = {
  question: "Where is x?",
  contexts: ["x is here.", "y is there."],
  response: "Here.",
  reference: "Here.",
}

/** Rows on which each type of metric is scored, or on which its judge is asked. */
const CASES: Readonly<Record<keyof typeof METRIC_VERSIONS, { readonly params: Row; readonly rows: readonly Row[] }>> = {
  "exact-match": { params: { ground_truth: ref }, rows: texts },
  em: { params: { ground_truth: ref }, rows: texts },
  f1: { params: { ground_truth: ref }, rows: texts },
  accuracy: { params: { ground_truth: ref }, rows: texts },
  "string-check": { params: { check: ["{{ sample.output_text }}", "contains", ref] }, rows: texts },
  "number-check": { params: { check: ["{{ sample.output_text }}", "equals", ref] }, rows: numbers },
  bleu: { params: { references: [ref] }, rows: texts },
  rouge: { params: { ground_truth: ref }, rows: texts },
  chrf: { params: { references: [ref] }, rows: texts },
  ter: { params: { references: [ref] }, rows: texts },
  gsm8k: { params: { ground_truth: ref }, rows: numbers },
  math: { params: { ground_truth: ref }, rows: numbers },
  ifeval: {
    params: {},
    rows: [
      { output: "No commas here", instruction_id_list: ["punctuation:no_comma"], kwargs: [{}] },
      {
        output: "*One, two.*\nThree.",
        instruction_id_list: ["punctuation:no_comma", "length_constraints:number_words"],
        kwargs: [{}, { relation: "at least", num_words: 3 }],
      },
    ],
  },
  "code-execution": {
    params: { tests: "{{ item.tests }}", entry_point: "f" },
    rows: [{ output: "Here:\n```python\ndef f(): return 1\n```", tests: "def check(f): assert f() == 1" }],
  },
  "tool-calling": {
    params: { tool_calls_ground_truth: "{{ item.calls | tojson }}" },
    rows: [
      { response: calling, calls: [call] },
      { response: calling, calls: [{ function: { name: "find", arguments: { q: "y" } } }] },
    ],
  },
  "tool-call-ast": {
    params: { tools: "{{ item.tools }}", possible_answers: "{{ item.truth }}" },
    rows: [
      { response: calling, tools, truth: [{ find: { q: ["x"], n: [2, ""] } }] },
      { response: calling, tools, truth: [{ find: { q: ["x"], n: [3] } }] },
    ],
  },
  "tool-call-turns": {
    params: { turns: "{{ item.turns }}" },
    rows: [
      {
        messages: [{ role: "user", content: "Find x." }],
        response: calling,
        turns: [["find(q='x', n=2)"]],
      },
      { messages: [{ role: "user", content: "Find x." }], response: calling, turns: [["find(q='y', n=2)"]] },
    ],
  },
  "tool-call-relevance": { params: {}, rows: [{ response: calling }, { response: used }] },
  calls: {
    params: { in_order: [{ name: "find", arguments: { q: "x", n: 2 } }] },
    rows: [{ response: calling }, { response: used }],
  },
  state: {
    params: { path: "$.a", equals: 1 },
    rows: [
      { output: "x", sample: { state: { a: 1 } } },
      { output: "x", sample: { state: { a: "1" } } },
    ],
  },
  "g-eval": { params: { judge: { model }, criteria: "It is polite." }, rows: [{ response: "Hello" }] },
  pairwise: {
    params: { judge: { model }, ask: "Which one is polite?", against: ref },
    rows: texts.map((row) => ({ question: "Who is it?", ...row })),
  },
  "llm-judge": {
    params: { model, template: "Is {{ item.ref }} right?", scores: { right: { type: "int" } } },
    rows: texts,
  },
  "json-schema": {
    params: { schema: { type: "object", required: ["a"] } },
    rows: [{ output: '{"a": 1}' }, { output: "Here: {}" }, { output: "x" }],
  },
  loglikelihood: { params: {}, rows: [{ response: likelihoods }] },
  "multiple-choice": { params: {}, rows: [{ response: likelihoods }] },
  latency: { params: {}, rows: [{ output: "x", latency_ms: 12 }] },
  tokens: { params: {}, rows: [{ response: used }] },
  cost: { params: { prompt_price: 1, completion_price: 2 }, rows: [{ response: used }] },
  "usage-limit": { params: { measure: "completion_tokens", at_most: 5 }, rows: [{ response: used }] },
  remote: { params: { url: "http://127.0.0.1:9/score", scores: { q: "$.q" } }, rows: texts },
  given: { params: { value: "{{ item.q }}" }, rows: [{ q: 0.5 }, { q: true }, { q: "" }, { q: "x" }] },
  checklist: { params: { checks: { same: { type: "em", params: { ground_truth: ref } } } }, rows: texts },
  tool_call_accuracy: { params: {}, rows: [talk] },
  agent_goal_accuracy_with_reference: { params: { judge: { model } }, rows: [talk] },
  agent_goal_accuracy_without_reference: { params: { judge: { model } }, rows: [talk] },
  topic_adherence: { params: { judge: { model } }, rows: [talk] },
  answer_accuracy: { params: { judge: { model } }, rows: [talk] },
  trajectory_evaluation: { params: { judge: { model } }, rows: [talk] },
  faithfulness: { params: { judge: { model } }, rows: [retrieved] },
  answer_relevancy: { params: { judge: { model }, embeddings: { model: vectors } }, rows: [retrieved] },
  context_precision: { params: { judge: { model } }, rows: [retrieved] },
  context_recall: { params: { judge: { model } }, rows: [retrieved] },
  "kept-facts": {
    params: {},
    rows: [
      { output: "x", sample: { user: { kept_facts: true } } },
      { output: "x", sample: { user: { kept_facts: null } } },
    ],
  },
  content_safety: {
    params: {},
    rows: ["block", "pass", "unreadable"].flatMap((outcome) =>
      ["safe", "unsafe"].map((label) => ({ label, response: { outcome } })),
    ),
  },
  ranking: {
    params: {},
    rows: [{ qrels: { a: 1, b: 2 }, ranking: ["c", "b", "a"] }],
  },
}

/** The scores of each type of metric for its rows. */
const RECORDED: Readonly<Record<string, string>> = {
  "exact-match": "1: 4f0705e59a58e129",
  em: "1: ed9fe4cf6915a41c",
  f1: "1: 5202224afc96b89d",
  accuracy: "1: 35f7fed7288502c2",
  "string-check": "1: cb055ca5789468c9",
  "number-check": "1: 64e754fa14ec7e2a",
  bleu: "1: f87db38a426c500c",
  rouge: "1: 10c9dbca2fdf3f9d",
  chrf: "1: 650942040a9162a5",
  ter: "1: f6ceb56ef5f68243",
  gsm8k: "1: 6a70685ffc4ecd8f",
  math: "1: b6459e8428a54912",
  "tool-calling": "1: 1703ad5959a635f1",
  "tool-call-ast": "1: 410a1e5dd05127f8",
  "llm-judge": "1: 2f79f2f6a876a1c0",
  "json-schema": "1: 6e41962cc2e34b54",
  loglikelihood: "1: 42f8ac6ec9f64d17",
  "multiple-choice": "1: 87c4952e4385fcfc",
  latency: "1: b0238a7a30a5ec32",
  tokens: "1: de63cea34ea6250f",
  cost: "1: 33c9fb92dd79843a",
  "usage-limit": "1: 9d31c053fc2b5286",
  remote: "1: decbc4ba52ca4d19",
  given: "1: 3db60db3021e782b",
  checklist: "1: 9967fea7da4e97f8",
  tool_call_accuracy: "1: 2eb8514602669fac",
  agent_goal_accuracy_with_reference: "1: 1944e6f78c9696da",
  agent_goal_accuracy_without_reference: "1: df41b823cc34b8e6",
  topic_adherence: "1: 1b6db3ae23e8c89c",
  answer_accuracy: "1: f49c0d6305d38c47",
  trajectory_evaluation: "1: 16a5300d6154823c",
  ifeval: "1: 0757847db2ead2d6",
  "code-execution": "1: 91729fdc4eb71438",
  "tool-call-turns": "1: 5c504e897b4ca1a1",
  "tool-call-relevance": "1: 873b305a6a79c826",
  "g-eval": "1: 7a2c20d0b872a1a0",
  pairwise: "1: 9ddac9d1eb286c51",
  calls: "1: 36fb9a2eaf5cb65c",
  state: "1: 221baaa89a532323",
  faithfulness: "1: 0818006afd56938f",
  answer_relevancy: "1: cf8da3e202e6dfc6",
  context_precision: "1: 98d4237ab4892b75",
  context_recall: "1: d4bb6719143a9975",
  "kept-facts": "1: b06afb018d16f5f5",
  content_safety: "1: 177c2f84a6f0d499",
  ranking: "1: 2c5836329d67d8d5",
}

const run = runParams().callLimits
const KEY = "metric"

function keptFacts(): MetricDefinition {
  const [metric] = withKeptFacts([], run)
  if (metric === undefined) throw new Error("A simulated user has no metric.")
  return metric
}

function definitionOf(type: string, params: Row): MetricDefinition {
  if (type === "content_safety") return contentSafetyMetric(KEY)
  if (type === "kept-facts") return keptFacts()
  if (type === "ranking") return rankingMetric(KEY, [], KEY)
  return defineMetric({ key: KEY, type, params, name: `${KEY}.params`, run })
}

/** Returns the requests of a metric about its rows, or the scores of one that asks nothing. */
async function behaviourOf(type: keyof typeof CASES): Promise<readonly unknown[]> {
  const { params, rows } = CASES[type]
  const definition = definitionOf(type, params)
  const inputs = rows.map((item) => ({ item, sample: { ...givenSample(item), ...fieldsOf(item["sample"]) } }))
  const { renderRequests } = definition
  if (renderRequests !== undefined) return inputs.map((input) => renderRequests(input, createStepBudget()))
  const programs: string[] = []
  const openPrograms = async (): Promise<RunProgram> => async (program) => {
    programs.push(program.source)
    return { kind: "finished" }
  }
  const environment = { ...scoringEnvironment(), openPrograms }
  const { signal } = new AbortController()
  const models = createModelPool(environment)
  const metric = await definition.bind({ environment, models, onClose: () => {}, signal })
  const corpus = Object.entries(metric.createCorpusScores?.() ?? {})
  const found = await Promise.all(inputs.map(async (input) => metric.score(input, { signal, onRetry: () => {} })))
  for (const [at, { scores }] of found.entries()) {
    for (const [, score] of corpus) score.add(inputs[at] ?? { item: {}, sample: givenSample({}) }, scores)
  }
  await models.close()
  return [
    ...found.map(({ scores }) => scores),
    ...programs,
    Object.fromEntries(corpus.map(([name, score]) => [name, score.value()])),
  ]
}

describe("the version of a metric", () => {
  it.each(Object.entries(METRIC_VERSIONS))(
    "stands for the same scores: %s %i",
    verifies("eval.identity"),
    async (type, version) => {
      const behaviour = JSON.stringify(await behaviourOf(type as keyof typeof CASES))
      const found = `${version}: ${createHash("sha256").update(behaviour).digest("hex").slice(0, 16)}`
      const advice = `The scores or requests of '${type}' are not those of its version. If answers can get other scores now, raise its version in metric-versions.ts, and record "${found.replace(String(version), String(version + 1))}" here; else record "${found}". It returned ${behaviour.slice(0, 500)}`
      expect(found, advice).toBe(RECORDED[type])
    },
  )
})
