import { scoreToolCalls } from "@assay/metrics"
import { answerParts } from "../rows/given-answers.ts"
import { plainMetric, scoreValue, type DefineMetric } from "./metric-definition.ts"
import { requiredTemplate } from "./metric-templates.ts"

/** `tool-calling`: whether the model called the tools in `tool_calls_ground_truth`, and whether it used the same arguments. */
export const toolCallingMetric: DefineMetric = (setup) => {
  const expected = requiredTemplate(setup, ["tool_calls_ground_truth"])
  const duplicates = setup.params["duplicates"] === "ignore" ? "ignore" : "count"
  return plainMetric(setup, {
    scores: ["function_name_accuracy", "function_name_and_args_accuracy"],
    templates: [expected],
    score(input) {
      const { toolCalls } = answerParts(input.sample.response)
      const wanted = expected.evaluate(input)
      // A template of several expressions leaves blanks around its value. An empty text means that no calls are expected.
      const calls = typeof wanted === "string" && wanted.trim() === "" ? [] : wanted
      const found = scoreToolCalls(toolCalls, calls, { duplicates })
      return {
        scores: {
          function_name_accuracy: scoreValue(found.function_name_accuracy),
          function_name_and_args_accuracy: scoreValue(found.function_name_and_args_accuracy),
        },
      }
    },
  })
}
