import type { DefineMetric } from "../metric-definition.ts"
import { outputText } from "../texts/compared-texts.ts"
import { askingMetric } from "./asking-metric.ts"
import { ragRow } from "./rag-row.ts"
import { shareOfSupported, statementsQuestion } from "./statements.ts"

/**
 * `faithfulness`: the share of the statements of the answer that the retrieved contexts support.
 * Source: Ragas' Faithfulness (Es et al., arXiv 2309.15217), with its two questions; the prompts are ours.
 */
export const faithfulnessMetric: DefineMetric = (setup) => {
  const row = ragRow(setup, ["question", "contexts"])
  return askingMetric(setup, {
    row,
    readsOutput: true,
    first: (input) => [statementsQuestion(row.question(input), outputText(input.sample))],
    async score(ask, input) {
      const [question, text, contexts] = [row.question(input), outputText(input.sample), row.contexts(input)]
      return text.trim() === "" ? { scores: {} } : shareOfSupported(ask, { type: setup.type, question, text, contexts })
    },
  })
}

/**
 * `context_recall`: the share of the statements of the expected answer that the retrieved contexts support. A row without an expected answer has no score.
 * Source: Ragas' LLMContextRecall, here in two questions instead of one, so that contexts cannot change the list; the prompts are ours.
 */
export const contextRecallMetric: DefineMetric = (setup) => {
  const row = ragRow(setup, ["question", "contexts", "reference"])
  return askingMetric(setup, {
    row,
    readsOutput: false,
    first(input) {
      const reference = row.reference(input)
      return reference === undefined ? [] : [statementsQuestion(row.question(input), reference)]
    },
    async score(ask, input) {
      const [question, text, contexts] = [row.question(input), row.reference(input), row.contexts(input)]
      return text === undefined ? { scores: {} } : shareOfSupported(ask, { type: setup.type, question, text, contexts })
    },
  })
}
