import { checkToolCalls } from "@assay/metrics"
import { answerParts } from "../rows/given-answers.ts"
import { flagOf, requiredTemplate } from "./metric-templates.ts"
import { plainMetric, type DefineMetric } from "./metric-definition.ts"

/**
 * `tool-call-ast`: 1 if the calls of the model are possible answers as the Berkeley Function-Calling Leaderboard decides it, else 0. `tools`
 * are the functions that the model was given, and `possible_answers` the ground truth of the leaderboard.
 */
export const toolCallCheckMetric: DefineMetric = (setup) => {
  const tools = requiredTemplate(setup, ["tools"])
  const answers = requiredTemplate(setup, ["possible_answers"])
  const underscoreToDot = flagOf(setup, "underscore_to_dot")
  return plainMetric(setup, {
    scores: ["tool-call-ast"],
    templates: [tools, answers],
    score(input) {
      const { toolCalls } = answerParts(input.sample.response)
      const possible = { functions: tools.evaluate(input), answers: answers.evaluate(input), underscoreToDot }
      return { scores: { "tool-call-ast": checkToolCalls(toolCalls, possible) ? 1 : 0 } }
    },
  })
}
