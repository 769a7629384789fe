import type { EvaluationRow } from "@assay/schemas"
import { expect, it } from "vitest"
import { journalOf } from "../testing/sample-results.ts"
import { resultOf, rowOf, summaryOf } from "../testing/tiny-result.ts"
import { judgeScores } from "./judge-scores.ts"
import { readVerdicts } from "./read-verdicts.ts"

const answers = (...winners: readonly string[]) =>
  winners.map((winner) => ({ text: `So: {"winner": "${winner}"}`, finish_reason: "stop" }))
const reasoned = (thought: string, winner: string) => ({
  text: `<think>{"winner": "${thought}"}</think>{"winner": "${winner}"}`,
  finish_reason: "stop",
})
const row = (index: number, more: Partial<EvaluationRow>): EvaluationRow =>
  rowOf(index, { pair: { pairwise: 0.5, tie: 1 }, word: { better: 1 } }, more)

it("Verdicts have the position of the answer that wins: by both orders, or by labels that name one of two answers", async () => {
  const judge = { model: { api_endpoint: { url: "http://a/v1", model_id: "large" } } }
  const metrics = { pair: { type: "pairwise", params: { judge } }, word: { type: "llm-judge", params: judge } }
  const better = { ...summaryOf([1, 1]), labels: { A: 1, B: 1, tie: 0 } }
  const result = resultOf({
    task: "qa",
    metrics: {
      pair: { pairwise: summaryOf([0, 1]), tie: summaryOf([0, 0]) },
      word: { better },
      exact: { match: summaryOf([1]) },
    },
  })
  const scores = judgeScores({ tasks: { qa: { metrics: { ...metrics, exact: { type: "equals" } } } } }, result)
  expect(scores.map(({ name, model }) => [name, model])).toEqual([
    ["qa.pair.pairwise", "large"],
    ["qa.word.better", "large"],
  ])
  const rows = [
    row(0, { judge_answers: { pair: answers("A", "A") }, labels: { word: { better: "A" } } }),
    row(1, { judge_answers: { pair: answers("B", "B") }, labels: { word: { better: "B" } } }),
    row(2, { judge_answers: { pair: answers("A", "B") }, labels: { word: { better: "tie" } } }),
    row(3, { judge_answers: { pair: answers("A") }, labels: { word: { better: "both" } } }),
    row(4, { judge_answers: { pair: [reasoned("A", "B"), reasoned("A", "B")] } }),
    row(5, { judge_answers: { pair: answers("A", 'B"} and {"winner": "A') } }),
  ]
  const [pair, word] = await readVerdicts(journalOf(rows), scores)
  expect([pair?.basis, pair?.verdicts.map(({ first }) => first)]).toEqual([
    "both_orders",
    [1, 0, 0.5, Number.NaN, 0, Number.NaN],
  ])
  expect([word?.basis, word?.verdicts.map(({ first }) => first)]).toEqual([
    "labels",
    [1, 0, 0.5, Number.NaN, Number.NaN, Number.NaN],
  ])
})
