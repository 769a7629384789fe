import { mkdtempDisposableSync, writeFileSync, type DisposableTempDir } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { planOf, scorePlan, testEnvironment } from "@assay/evaluation/testing"
import type { EvaluationConfigBody } from "@assay/schemas"
import { readEvaluationCells } from "@assay/evaluation-files"
import { parseYaml } from "@assay/validation"
import { beforeEach, describe, expect, it } from "vitest"
import { examineResults } from "./examine-results.ts"

let folder: DisposableTempDir
beforeEach(() => {
  folder = mkdtempDisposableSync(join(tmpdir(), "assay-doctor-"))
  return () => folder.remove()
})

async function examine(name: string, text: string) {
  writeFileSync(join(folder.path, name), text)
  const { signal } = new AbortController()
  const examined = await examineResults({
    file: name,
    cwd: folder.path,
    out: "results.yaml",
    quote: (word) => word,
    signal,
  })
  const [rows, evaluation] = examined.files.map(({ text: content }) =>
    typeof content === "string" ? content : [...(content as Iterable<string>)].join(""),
  )
  return {
    ...examined,
    roles: Object.fromEntries(examined.columns.map(({ role, name: column }) => [role, column])),
    answers: Object.fromEntries(examined.questions.map(({ question, text: answer }) => [question, answer])),
    rowValues: (rows ?? "")
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as Record<string, unknown>),
    content:
      evaluation === undefined ? undefined : readEvaluationCells(parseYaml(evaluation, "results.yaml"))[0].content,
  }
}

const RUN = "assay eval run ./results.yaml"
const lines = (rows: readonly object[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join("")

describe("the results of a tool", () => {
  it("with one score have intervals and gates, and say what is missing for the rest", async () => {
    const csv = `question,correct\n${Array.from({ length: 40 }, (_, at) => `q${at},${at % 4 === 0 ? "False" : "True"}\n`).join("")}`
    const { roles, answers, content, rowValues } = await examine("results.csv", csv)
    expect(roles).toEqual({ score: "correct", pair: "question" })
    expect(answers).toEqual({
      "intervals of scores": RUN,
      "a gate": `${RUN} --gate 'results.correct.given>=0.8'`,
      "comparison of models": "missing: a column 'model' with at least two models",
      "corrected mean of the judge": "missing: a column 'label' of people",
      "length bias of the judge":
        "missing: a column 'score', and a column with outputs or their lengths that differ, in 30 rows",
      "position bias of the judge": "missing: a column 'winner' with A, B and tie, for answers in random order",
    })
    if (content === undefined) throw new Error("There is no evaluation file.")
    const { tasks = {} } = content.config as EvaluationConfigBody
    const { results: { metrics = {} } = {} } = tasks
    const plan = await planOf(
      { type: "rows", rows: rowValues },
      { type: "custom", tasks: { results: { type: "data", metrics } } },
      testEnvironment(),
    )
    const scores = (await scorePlan(plan)).map(({ outcomes }) => outcomes["correct"]?.scores["given"])
    expect(scores.slice(0, 4)).toEqual([0, 1, 1, 1])
  })

  it("with a judge, labels, outputs and documents have a corrected mean and the length bias", async () => {
    const rows = Array.from({ length: 60 }, (_, at) => ({
      doc_id: `d${at % 20}`,
      scores: { judge_score: at % 3 === 0 ? 0 : 1 },
      human_label: at < 30 ? (at % 2 === 0 ? 0 : 1) : null,
      response: "x".repeat(at + 1),
    }))
    const { roles, answers, content, rowValues } = await examine("results.jsonl", lines(rows))
    expect(roles).toEqual({ score: "scores.judge_score", label: "human_label", output: "response", pair: "doc_id" })
    expect(answers["corrected mean of the judge"]).toMatch(
      /^0\.\d+, 0\.\d+ to 0\.\d+ \(judge alone 0\.667, 30 labels alone 0\.5\), if/,
    )
    expect(answers["agreement of the judge with people"]).toMatch(
      /^kappa -?0\.?\d*, .* to .*, alpha .* to .* \(30 labels, 15 equal\)$/,
    )
    expect(answers["length bias of the judge"]).toMatch(/^correlation .* to .*, beyond labels .* to .*; assay eval run/)
    expect(answers["length bias of the judge"]).toContain(`${RUN} (slices of answer_length, also of score-minus-label)`)
    expect(content?.config).toMatchObject({ params: { slices: ["answer_length"] } })
    expect(rowValues[0]).toEqual({
      id: "d0",
      "scores-judge_score": 0,
      label: 0,
      "score-minus-label": 0,
      answer_length: "short",
    })
  })

  it("with several models are compared item by item", async () => {
    const rows = Array.from({ length: 20 }, (_, at) =>
      ["small", "large"].map((model) => ({ id: at, model, score: model === "large" ? 1 : at % 2 })),
    ).flat()
    const { answers, rowValues } = await examine("results.jsonl", lines(rows))
    expect(answers["comparison of models"]).toBe(`${RUN} --gate 'results.large-minus-small.given>=-0.02'`)
    expect(rowValues).toHaveLength(20)
    expect(rowValues[0]).toMatchObject({ small: 0, large: 1, "large-minus-small": 1 })
  })

  it("with several models have a corrected mean for each model, and slices of models instead of one mean", async () => {
    const rows = Array.from({ length: 60 }, (_, at) => ({
      model: at % 2 === 0 ? "small" : "large",
      score: 1,
      // People agree with the judge about one model only.
      human_label: at % 2 === 0 ? at % 4 : 1,
      response: "x".repeat(at + 1),
    }))
    const few = { model: "new", score: 0, human_label: 1, response: "" }
    const { answers, content, rowValues } = await examine("results.jsonl", lines([...rows, few]))
    expect(answers["corrected mean of the judge"]).toBeUndefined()
    expect(answers["corrected mean of the judge, model 'small'"]).toMatch(/30 labels alone 1\)/)
    expect(answers["corrected mean of the judge, model 'large'"]).toMatch(/^1, .*30 labels alone 1\)/)
    expect(answers["corrected mean of the judge, model 'new'"]).toBe("missing: 10 rows with a label; there are 1")
    expect(answers["intervals of scores"]).toBe(`${RUN} (read the slices of model: a mean of all is about none)`)
    expect(answers["a gate"]).toMatch(/^missing: results of one model/)
    expect(answers["length bias of the judge"]).toBe("missing: results of one model")
    expect(content?.config).toMatchObject({ params: { slices: ["model"] } })
    expect(rowValues[1]).toMatchObject({ model: "large", score: 1 })
  })

  it("with several judges have a corrected mean for each judge", async () => {
    const rows = Array.from({ length: 40 }, (_, at) => ({
      judge_model: at < 20 ? "a" : "b",
      score: at % 2,
      label: at < 20 ? at % 2 : 1 - (at % 2),
    }))
    const { answers } = await examine("results.jsonl", lines(rows))
    expect(Object.keys(answers).filter((one) => one.startsWith("corrected mean"))).toEqual([
      "corrected mean of the judge, judge_model 'a'",
      "corrected mean of the judge, judge_model 'b'",
    ])
  })

  it("with verdicts about pairs show the position bias", async () => {
    const text = `winner\n${"A\nB\nA\ntie\n".repeat(5)}`
    const { answers, rowValues } = await examine("results.csv", text)
    expect(answers["position bias of the judge"]).toContain("first-wins is 0.5 without bias")
    expect(rowValues.slice(0, 4).map((row) => row["first-wins"])).toEqual([1, 0, 1, 0.5])
  })
})

describe("hostile results", () => {
  it("with broken lines are read without them", async () => {
    const { rows, unreadable } = await examine("results.jsonl", `{"score": 1}\nno json\n[1]\n{"score": 0}\n`)
    expect([rows, unreadable]).toEqual([2, 2])
  })

  it("with thousands of columns and deep values are read within bounds", async () => {
    const wide = Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`c${at}`, at]))
    const deep = JSON.parse(`${'{"a":'.repeat(50)}1${"}".repeat(50)}`) as object
    const { rows, files } = await examine(
      "results.jsonl",
      lines([{ ...wide }, { deep }, { __proto__: null, constructor: 1 }]),
    )
    expect([rows, files.length]).toEqual([3, 0])
  })

  it.each<[string, string, RegExp]>([
    ["results.jsonl", "", /has no rows/],
    ["results.jsonl", "no\n", /results\.jsonl:1:1: The row/],
    ["results.txt", "a", /results\.txt/],
  ])("%s with %j is refused", async (name, text, message) => {
    await expect(examine(name, text)).rejects.toThrow(message)
  })
})
