import { mkdtempDisposableSync, writeFileSync, type DisposableTempDir } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { planOf, scorePlan, testEnvironment } from "@assay/evaluation/testing"
import type { EvaluationConfigBody } from "@assay/schemas"
import { readEvaluationCells } from "@assay/evaluation-files"
import { parseYaml } from "@assay/validation"
import { compileRequestTemplate, likelihood } from "@assay/scoring"
import { beforeEach, describe, expect, it } from "vitest"
import { importLmEval } from "./import-lm-eval.ts"

let folder: DisposableTempDir
beforeEach(() => {
  folder = mkdtempDisposableSync(join(tmpdir(), "assay-lm-eval-"))
  return () => folder.remove()
})

const GSM8K = `task: gsm8k
dataset_path: openai/gsm8k
test_split: test
fewshot_split: train
num_fewshot: 2
doc_to_text: "Question: {{question}}\\nAnswer:"
doc_to_target: "{{answer}}"
generation_kwargs: { until: ["Question:", "</s>"], do_sample: false, temperature: 0 }
metric_list: [{ metric: exact_match, ignore_case: true }]
filter_list:
  - name: strict-match
    filter: [{ function: regex, regex_pattern: '#### (\\-?[0-9\\.\\,]+)' }, { function: take_first }]
  - name: flexible-extract
    filter: [{ function: regex, group_select: -1, regex_pattern: '(-?[$0-9.,]{2,})|(-?[0-9]+)' }, { function: take_first }]
`
const ARC = `task: arc
dataset_path: json
dataset_kwargs: { data_files: { test: rows.jsonl } }
output_type: multiple_choice
test_split: test
doc_to_text: "Question: {{question}}\\nAnswer:"
doc_to_choice: choices
doc_to_target: label
metric_list: [{ metric: acc }, { metric: acc_norm }, { metric: brier_score }]
`

const ROWS = [
  { question: "1 + 1?", answer: "It is #### 2", choices: ["1", "two"], label: 1 },
  { question: "Is { fine?", answer: "yes 3", choices: ["a", "b"], label: 0 },
]

async function importTask(files: Readonly<Record<string, string>>, over: object = {}) {
  writeFileSync(join(folder.path, "rows.jsonl"), ROWS.map((row) => `${JSON.stringify(row)}\n`).join(""))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder.path, name), text)
  const model = { url: "http://127.0.0.1:9000/v1", name: "base" }
  const options = { file: "task.yaml", cwd: folder.path, out: "evaluation.yaml", model, isChat: false, ...over }
  const { files: written, notes } = await importLmEval(options)
  const content = readEvaluationCells(parseYaml(textOf(written[0]?.text), "evaluation.yaml"))[0].content
  const { tasks = {} } = content.config as EvaluationConfigBody
  return { content, task: Object.values(tasks)[0], notes: notes.map(({ part, outcome }) => `${part}: ${outcome}`) }
}

describe("a task of lm-evaluation-harness", () => {
  it("with written answers asks the text of its template after its examples, and compares numbers", async () => {
    const { task, notes, content } = await importTask(
      { "task.yaml": GSM8K },
      { data: "rows.jsonl", shots: "rows.jsonl" },
    )
    const asked = compileRequestTemplate(task?.params?.template, "qa").render({ item: { question: "2 + 2?" } })
    expect(asked.messages[0]?.content).toBe(
      "Question: 1 + 1?\nAnswer: It is #### 2\n\nQuestion: Is { fine?\nAnswer: yes 3\n\nQuestion: 2 + 2?\nAnswer:",
    )
    expect(task).toMatchObject({
      type: "completion",
      params: { temperature: 0, max_tokens: 256, stop: ["Question:", "</s>"] },
      dataset: { files_url: "./rows.jsonl" },
    })
    expect(content.target).toMatchObject({ model: { api_endpoint: { model_id: "base", format: "completions" } } })
    expect(notes).toEqual([
      "num_fewshot: changed",
      "filter strict-match: left out",
      "exact_match, flexible-extract: changed",
    ])
    const rows = ROWS.map((row) => ({ ...row, output: "So it is 2." }))
    const { metrics = {} } = task ?? {}
    const plan = await planOf(
      { type: "rows", rows },
      { type: "custom", tasks: { qa: { type: "data", metrics } } },
      testEnvironment(),
    )
    const scored = await scorePlan(plan)
    expect(scored.map(({ outcomes }) => outcomes["exact_match-flexible-extract"]?.scores["number-check"])).toEqual([
      1, 0,
    ])
  })

  it("with choices asks how likely each is", async () => {
    const { task, notes } = await importTask({ "task.yaml": ARC })
    expect(task).toEqual({
      type: "multiple-choice",
      dataset: { files_url: "./rows.jsonl" },
      params: {
        template: {
          context: "Question: {{question}}\nAnswer:",
          choices: '{{ item["choices"] }}',
          answer: '{{ item["label"] }}',
          delimiter: " ",
        },
      },
      metrics: { "multiple-choice": { type: "multiple-choice" } },
    })
    expect(notes).toEqual(["acc: mapped", "acc_norm: mapped", "brier_score: left out"])
  })

  it("finds the number of the answer in a list, and keeps line feeds at the end of a question", async () => {
    const text = ARC.replace("doc_to_target: label", 'doc_to_target: "{{marks.index(key)}}"').replace(
      "Answer:",
      "Answer:\\n",
    )
    const { task } = await importTask({
      "task.yaml": text.replace("doc_to_choice: choices", 'doc_to_choice: "{{choices}}"'),
    })
    const { template } = task?.params ?? {}
    const choices = likelihood.compileTask({ type: "multiple-choice", template, name: "qa", parameters: {} })
    const item = { question: "Q", marks: ["1", "2"], key: "2", choices: ["2", "two"] }
    const listed = text.replace("doc_to_choice: choices", 'doc_to_choice: ["a", "b"]')
    const other = (await importTask({ "task.yaml": listed })).task?.params?.template
    const ofList = likelihood.compileTask({ type: "multiple-choice", template: other, name: "qa", parameters: {} })
    expect(ofList.render(item).texts).toMatchObject({ answer: 1, choices: ["a", "b"] })
    expect(choices.render(item).texts).toMatchObject({
      answer: 1,
      continuations: [{ context: "Question: Q\nAnswer:\n" }, {}],
    })
  })

  it("gets what it includes, and its own keys win", async () => {
    const own = "include: base.yaml\ntask: mine\nmetric_list: [{ metric: acc }]\n"
    const { content, notes } = await importTask({ "base.yaml": ARC, "task.yaml": own })
    expect(content.config).toMatchObject({ tasks: { mine: { type: "multiple-choice" } } })
    expect(notes).toEqual(["acc: mapped"])
  })

  it.each<[string, string, RegExp]>([
    [
      "runs Python",
      "task: a\ndoc_to_text: !function utils.text\n",
      /^task\.yaml:2:\d+: '.*utils\.text'? is Python code/,
    ],
    ["is a group", "task: [a, b]\ngroup: g\n", /import each of its tasks/],
    ["has its rows on the hub", GSM8K.replace(/num_fewshot: 2\n/, ""), /'openai\/gsm8k' \(test\); save them/],
    ["has another type of output", ARC.replace("multiple_choice", "other"), /'other' is not a type of output/],
    [
      "has a broken template",
      ARC.replace("{{question}}", "{{question"),
      /task\.yaml:6:1: 'doc_to_text' is a template that can't be read/,
    ],
    ["includes itself", "include: task.yaml\n", /More than 10 files include each other/],
  ])("that %s is refused", async (_title, text, message) => {
    await expect(importTask({ "task.yaml": text })).rejects.toMatchObject({
      code: "bad_document",
      message: expect.stringMatching(message) as string,
    })
  })

  it("needs rows for its examples", async () => {
    await expect(importTask({ "task.yaml": GSM8K }, { data: "rows.jsonl" })).rejects.toThrow(
      /2 examples before each question, and 0 are known/,
    )
  })
})

/** Returns the text of a file that is written at once. */
function textOf(text: unknown): string {
  if (typeof text === "string") return text
  throw new Error("The file is not one text.")
}
