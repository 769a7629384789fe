import { AssayError } from "@assay/schemas"
import { likeliest, likelihoodsOf } from "../../likelihood/text-likelihood.ts"
import { plainMetric, type DefineMetric } from "../metric-definition.ts"

/**
 * `multiple-choice`: whether the right choice is the likeliest one. `acc` compares log-likelihoods, `acc_norm` those divided by the
 * characters of the choice, and `acc_bytes` by its bytes in UTF-8, as lm-evaluation-harness defines them (lm_eval/api/task.py). Of
 * equal choices, the first counts.
 */
export const multipleChoiceMetric: DefineMetric = (setup) =>
  plainMetric(setup, {
    scores: ["acc", "acc_norm", "acc_bytes"],
    templates: [],
    score({ sample }) {
      const { texts, choices, answer } = likelihoodsOf(sample)
      if (answer === null) {
        const rule = "the metric 'multiple-choice' is for tasks of that type"
        throw new AssayError("rows_invalid", `The sample has no choices: ${rule}.`)
      }
      const isRight = (sizeOf: (choice: string) => number) =>
        likeliest(texts.map(({ logprob }, at) => logprob / sizeOf(choices[at] ?? ""))) === answer ? 1 : 0
      return {
        scores: {
          acc: isRight(() => 1),
          acc_norm: isRight((choice) => Array.from(choice).length),
          acc_bytes: isRight((choice) => Buffer.byteLength(choice)),
        },
      }
    },
  })
