import { describe, expect, it } from "vitest"
import { parseYaml } from "@assay/validation"
import { readEvaluationCells } from "./read-evaluation-cells.ts"

const read = (text: string, prompts?: ReadonlyMap<string, unknown>) =>
  readEvaluationCells(parseYaml(text, "eval.yaml"), prompts)
const BASE = "model: http://h/v1#m\ndata: rows.csv\nchecks: [latency]\n"
/** Returns the expanded check that is written as `yaml`. */
const metricsOf = (...checks: readonly string[]) => {
  const [{ content }] = read(
    `model: {url: http://h/v1, model: m, prompt_price: 1, completion_price: 2}\ndata: rows.csv\nprompt: "{{ q }}"\nchecks:\n${checks.map((check) => `  - ${check}\n`).join("")}`,
  )
  return typeof content.config === "string" ? undefined : content.config.tasks?.["answers"]?.metrics
}

describe("the short form of an evaluation file", () => {
  it("expands to target, configuration, gates and output of the long form", () => {
    const [{ content, label }, ...others] = read(`
name: polite
model: {url: "https://h/v1", model: m, key: CHAT_KEY, temperature: 0, max_tokens: 5, reasoning: {remove: true}}
data: rows.csv
prompt: {system: Be brief., user: "{{ question }}"}
checks:
  - equals: "{{ answer }}"
  - contains: x
gates: [equals >= 0.8, {metric: contains, op: "<=", value: 0.1, stop: early}]
repeat: 2
parallel: 4
limits: {rows: 9, failed: 0.5, retries: 1, timeout: 9, requests: 100, cost: 1.5}
slices: [language]
group: document
results: ./out
description: A text.
`)
    expect([label, others]).toEqual([undefined, []])
    expect(content).toEqual({
      description: "A text.",
      target: {
        type: "model",
        model: {
          api_endpoint: { url: "https://h/v1", model_id: "m", api_key_env: "CHAT_KEY" },
          reasoning: { remove: true },
        },
      },
      config: {
        type: "custom",
        name: "polite",
        params: {
          repeats: 2,
          parallelism: 4,
          slices: ["language"],
          cluster_by: "document",
          limit_samples: 9,
          max_failed_share: 0.5,
          max_retries: 1,
          request_timeout: 9,
          budget: { max_requests: 100, max_cost: 1.5 },
          temperature: 0,
          max_tokens: 5,
          gates: [{ task: "answers", metric: "contains", op: "<=", value: 0.1, stop: "early" }],
        },
        tasks: {
          answers: {
            type: "chat-completion",
            dataset: { files_url: "./rows.csv" },
            params: {
              template: {
                messages: [
                  { role: "system", content: "Be brief." },
                  { role: "user", content: "{{ question }}" },
                ],
              },
            },
            metrics: {
              equals: { type: "accuracy", params: { ground_truth: "{{ answer }}" } },
              contains: { type: "string-check", params: { check: ["{{ sample.output_text }}", "contains", "x"] } },
            },
          },
        },
      },
      gates: ["answers.equals >= 0.8"],
      output: "./out",
    })
  })

  it.each([
    ["rows.csv", { files_url: "./rows.csv" }],
    ["data/*.jsonl.gz", { files_url: "./data/*.jsonl.gz" }],
    ["../rows", { files_url: "../rows" }],
    ["default/rows#a.csv", { files_url: "default/rows#a.csv" }],
    ["default/rows", { files_url: "default/rows" }],
    ["assay://datasets/a/b/c.csv", { files_url: "assay://datasets/a/b/c.csv" }],
    ["[{q: a}]", { rows: [{ q: "a" }] }],
    ["{files_url: ./rows.csv, split: test}", { files_url: "./rows.csv", split: "test" }],
  ])("reads the rows '%s'", (data, dataset) => {
    const [{ content }] = read(`model: http://h/v1#m\ndata: ${data}\nchecks: [latency]\n`)
    expect(content.config).toMatchObject({ tasks: { answers: { dataset } } })
  })

  it("keeps the digits of numbers in its rows", () => {
    const [{ content }] = read('output: "{{ o }}"\ndata: [{o: 1.50, id: 12345678901234567890}]\nchecks: [latency]\n')
    expect(JSON.stringify(content.target)).toBe('{"type":"rows","rows":[{"o":1.50,"id":12345678901234567890}]}')
  })

  it("scores outputs that rows have already", () => {
    const [{ content }] = read('output: "{{ given }}"\ndata: rows.csv\nchecks: [{f1: "{{ answer }}"}]\n')
    expect(content).toMatchObject({
      target: { type: "cached_outputs", cached_outputs: { files_url: "./rows.csv" } },
      config: { tasks: { answers: { type: "data", output: "{{ given }}" } } },
    })
    // Whole chat completions under these names are read as such.
    const [{ content: usual }] = read('output: "{{ response }}"\ndata: rows.csv\nchecks: [latency]\n')
    expect(JSON.stringify(usual.config)).not.toContain('"output"')
  })

  it("asks text endpoints without a chat, and texts for their likelihood", () => {
    const text = "model: {url: http://h/v1, model: m, format: completions}\ndata: rows.csv\n"
    const taskOf = (rest: string) => read(text + rest)[0].content.config
    expect(taskOf('prompt: "{{ q }}"\nchecks: [latency]\n')).toMatchObject({
      tasks: { answers: { type: "completion" } },
    })
    expect(taskOf('checks: [{multiple-choice: {context: "{{ s }}"}}]\n')).toEqual({
      type: "custom",
      tasks: {
        answers: {
          type: "multiple-choice",
          dataset: { files_url: "./rows.csv" },
          params: { template: { context: "{{ s }}" } },
        },
      },
    })
    expect(() => taskOf("checks: [loglikelihood, latency]\n")).toThrow(/no other check can be beside it/)
  })

  it("has a job for each model and prompt, and reads prompts from files", () => {
    const cells = read(
      'models: [http://h/v1#a, {url: "http://h/v1", model: b, name: large}]\nprompts: {short: ./p.txt, long: [{role: user, content: x}]}\ndata: rows.csv\nchecks: [latency]\n',
      new Map([["./p.txt", "Say {{ q }}"]]),
    )
    expect(cells.map(({ label }) => label)).toEqual(["a, short", "a, long", "large, short", "large, long"])
    expect(cells[2]?.content).toMatchObject({
      target: { model: { api_endpoint: { model_id: "b" } } },
      config: { tasks: { answers: { params: { template: { prompt: "Say {{ q }}" } } } } },
    })
    expect(() => read("model: http://h/v1#m\nprompt: ./p.txt\ndata: rows.csv\nchecks: [latency]\n")).toThrow(
      /eval\.yaml:2:1: 'prompt': the prompt is in the file '\.\/p\.txt'/,
    )
  })

  it("maps locations of the long form to the values that they come from", () => {
    const [{ document }] = read(
      "model: {url: http://h/v1, model: m}\ndata: rows.csv\nparallel: 4\nchecks:\n  - latency\n  - judge: {ask: Ok?, model: http://h/v1#j}\n",
    )
    const locations = [
      "/target/model/api_endpoint/model_id",
      "/config/params/parallelism",
      "/config/tasks/answers/dataset/files_url",
      "/config/tasks/answers/metrics/judge/params/model",
    ].map(document.locationOf)
    expect(locations).toEqual(["eval.yaml:1:27", "eval.yaml:3:1", "eval.yaml:2:1", "eval.yaml:6:23"])
  })
})

describe("a check", () => {
  it.each([
    ["latency < 2s", "latency", { measure: "latency_ms", less_than: 2000 }],
    ["latency <= 150ms", "latency", { measure: "latency_ms", at_most: 150 }],
    ["tokens < 500", "tokens", { measure: "total_tokens", less_than: 500 }],
    ["cost < 0.01", "cost", { measure: "cost", less_than: 0.01, prompt_price: 1, completion_price: 2 }],
  ])("'%s' is the share of rows within a limit", (text, key, params) => {
    expect(metricsOf(text)).toEqual({ [key]: { type: "usage-limit", params } })
  })

  it("has the name of its metric, or its own; a name that is taken gets a number", () => {
    expect(Object.keys(metricsOf("latency", "latency < 2s", "{name: mine, f1: a}", "f1: b") ?? {})).toEqual([
      "latency",
      "latency_2",
      "mine",
      "f1",
    ])
  })

  it.each([
    ["equals: [a, b]", { type: "accuracy", params: { ground_truth: ["a", "b"] } }],
    ["number: 4", { type: "number-check", params: { check: ["{{ sample.output_text }}", "==", "4"] } }],
    [
      "number: {equals: 4, within: 0.1}",
      {
        type: "number-check",
        params: { check: ["absolute difference", "{{ sample.output_text }}", "4", "epsilon", 0.1] },
      },
    ],
    ["json-schema: {type: object}", { type: "json-schema", params: { schema: { type: "object" } } }],
    [
      "{bleu: {references: a, candidate: b}, labels: ./l}",
      { type: "bleu", params: { references: "a", candidate: "b" }, labels: "./l" },
    ],
    ["cost", { type: "cost", params: { prompt_price: 1, completion_price: 2 } }],
    [
      "answer_accuracy: {judge: {model: http://h/v1#j}}",
      {
        type: "answer_accuracy",
        params: { judge: { model: { api_endpoint: { url: "http://h/v1", model_id: "j" } } } },
      },
    ],
  ])("is written as %s", (text, metric) => {
    expect(Object.values(metricsOf(text) ?? {})).toEqual([metric])
  })

  it.each([
    ["{ask: Ok?, model: http://h/v1#j}", "yes", "Ok?\nAnswer with one word: yes or no.", /yes\|no/],
    [
      "{ask: Ok?, model: http://h/v1#j, scale: [1, 5]}",
      "score",
      "Ok?\nAnswer with one whole number from 1 to 5, and nothing else.",
      /d/,
    ],
    [
      "{ask: Ok?, model: http://h/v1#j, scale: {good: 1, very good: 2}}",
      "score",
      "Ok?\nAnswer with one word: good or very good.",
      /very good\|good/,
    ],
  ])("that asks a judge %s has the score %s", (judge, score, system, pattern) => {
    const { params } = metricsOf(`judge: ${judge}`)?.["judge"] ?? {}
    expect(params).toMatchObject({
      model: { api_endpoint: { url: "http://h/v1", model_id: "j" } },
      template: {
        messages: [
          { role: "system", content: system },
          { role: "user", content: "user: {{ q }}\nassistant: {{ sample.output_text }}" },
        ],
      },
      scores: { [score]: { parser: { pattern: expect.stringMatching(pattern) as string } } },
    })
  })

  it("whose question shows the answer sends that question alone", () => {
    const metrics = metricsOf('judge: {ask: "Is {{ sample.output_text }} ok?", model: http://h/v1#j}')
    expect(metrics?.["judge"]?.params?.["template"]).toEqual({
      messages: [{ role: "user", content: "Is {{ sample.output_text }} ok?\nAnswer with one word: yes or no." }],
    })
  })
})

describe("an evaluation file is refused with line, column and what is allowed", () => {
  it.each([
    [
      `${BASE}target: {type: rows}`,
      "eval.yaml:1:1: 'model': is a key of the short form, and 'target' one of the long form",
    ],
    [`${BASE}paralel: 3`, "eval.yaml:4:1: 'paralel': there is no such key here; did you mean 'parallel'?"],
    [`${BASE}gats: [latency > 1s]\ngates: [latency > 1s]`, "eval.yaml:4:1: 'gats': there is no such key here;"],
    [`${BASE}targets: {}`, "did you mean 'target'"],
    [
      `${BASE}parallel: many`,
      `eval.yaml:4:1: 'parallel': expected a whole number from 1 to 1024, not "many". Requests in flight.`,
    ],
    [`${BASE}limits: {row: 3}`, "eval.yaml:4:10: 'limits.row': there is no such key here; did you mean 'rows'?"],
    [
      `${BASE}gates: [latncy >= 1]`,
      "eval.yaml:4:9: 'gates.0': 'latncy' is not a check of this file; did you mean 'latency'?",
    ],
    [`${BASE}output: "{{ a }}"`, "eval.yaml:1:1: 'model': can't be beside 'output'"],
    [`${BASE}models: [http://h/v1#n]`, "eval.yaml:4:1: 'models': can't be beside 'model'"],
    [`${BASE}prompts: [{system: a}]`, "eval.yaml:4:11: 'prompts.0': `system` needs `user` beside it"],
    ["model: http://h/v1#m\nchecks: [latency]\n", "eval.yaml:1:1: 'data': it is missing. The rows: a file"],
    ["data: rows.csv\nchecks: [latency]\n", "eval.yaml:1:1: 'model' is missing: write URL#NAME, or 'output'"],
    [
      "model: http://h/v1\ndata: rows.csv\nchecks: [latency]\n",
      `eval.yaml:1:1: 'model': "http://h/v1" is not a model with an address. Write the name of the model after the address and a '#'.`,
    ],
    ["model: gpt-4o-mini\ndata: rows.csv\nchecks: [latency]\n", ", model: gpt-4o-mini, key: OPENAI_API_KEY }, or "],
    ["model: openai:chat:gpt-4o\ndata: rows.csv\nchecks: [latency]\n", "/v1, model: gpt-4o, key: OPENAI_API_KEY }"],
    ["models: [ollama/llama3]\ndata: rows.csv\nchecks: [latency]\n", "Write http://localhost:11434/v1#llama3."],
    ["model: llama\ndata: rows.csv\nchecks: [latency]\n", "before a '#', such as http://127.0.0.1:8000/v1#llama."],
    ["output: given\ndata: rows.csv\nchecks: [latency]\n", `'given' is not a template; write "{{ given }}"`],
    ["models: [http://h/v1#m, http://i/v1#m]\ndata: rows.csv\nchecks: [latency]\n", "the label 'm' is taken"],
    [
      "model: http://h/v1#m\ndata: 3\nchecks: [latency]\n",
      "eval.yaml:2:1: 'data': expected a text, a list or an object, not 3.",
    ],
    ["model: http://h/v1#m\ndata: rows.csv\nchecks: {em: a}\n", "eval.yaml:3:1: 'checks': expected a list, not"],
    ["model: http://h/v1#m\ndata: rows.csv\nchecks: []\n", "eval.yaml:3:1: 'checks': "],
    [
      "model: http://h/v1#m\ndata: rows.csv\nchecks: [em]\n",
      "eval.yaml:3:10: 'checks.0': the check 'em' needs a value, such as `em: \"{{ answer }}\"`",
    ],
    [
      "model: http://h/v1#m\ndata: rows.csv\nchecks: [latenci]\n",
      "there is no check 'latenci'; did you mean 'latency'?",
    ],
    ["model: http://h/v1#m\ndata: rows.csv\nchecks: [latency < 2]\n", "'latency < 2' needs a unit: ms, s or min"],
    [
      "model: http://h/v1#m\ndata: rows.csv\nchecks: [cost > 2]\n",
      "'cost > 2' is not a limit; write a limit such as `latency < 2s`",
    ],
    ["model: http://h/v1#m\ndata: rows.csv\nchecks: [tokens < 2s]\n", "has the unit 's', and tokens has none"],
    [
      "model: http://h/v1#m\ndata: rows.csv\nchecks: [{em: a, f1: b}]\n",
      "eval.yaml:3:18: 'checks.0.f1': 'f1' is a second check in one entry",
    ],
    ["model: http://h/v1#m\ndata: rows.csv\nchecks: [{name: a}]\n", "'checks.0': has no check"],
    [
      "model: http://h/v1#m\ndata: rows.csv\nchecks: [{judge: {ask: a}}]\n",
      "'checks.0.judge.model': it is missing. The model that judges.",
    ],
    ["model: http://me:hunter2@h/v1\ndata: rows.csv\nchecks: [latency]\n", "eval.yaml:1:1: 'model'"],
    ["model: http://me:hunter2@h/v1#m\ndata: rows.csv\nchecks: [latency]\n", "eval.yaml:1:1: "],
    [
      "model: {url: http://h/v1, model: m, key: sk-hunter2hunter2hunter2}\ndata: rows.csv\nchecks: [latency]\n",
      "eval.yaml:1:37: 'model.key': this looks like a key itself",
    ],
  ])("%j", (text, message) => {
    let error: unknown
    try {
      read(text)
    } catch (thrown) {
      error = thrown
    }
    expect(error).toMatchObject({ code: "bad_document", message: expect.stringContaining(message) as string })
    expect(String(error)).not.toContain("hunter2")
  })
})
