import { createRatio, type Ratio } from "@assay/metrics"
import { likelihoodsOf, type TextLikelihood } from "../../likelihood/text-likelihood.ts"
import type { CorpusScore } from "../bound-metric.ts"
import { plainMetric, scoreValue, type DefineMetric } from "../metric-definition.ts"

/**
 * `loglikelihood`: the log-likelihood of the text of each row in nats, and as `acc` whether the model would write it word for word. Over
 * all rows: `perplexity` for each row, `word_perplexity`, `byte_perplexity` and `bits_per_byte`, as lm-evaluation-harness defines
 * them (lm_eval/api/metrics.py). Their intervals are those of a ratio of sums.
 */
export const loglikelihoodMetric: DefineMetric = (setup) =>
  plainMetric(setup, {
    scores: ["loglikelihood", "acc", ...Object.keys(OVER_ALL)],
    templates: [],
    score({ sample }) {
      const [text] = likelihoodsOf(sample).texts
      const isGreedy = text?.is_greedy ?? null
      return {
        scores: { loglikelihood: text?.logprob ?? "NaN", acc: isGreedy === null ? "NaN" : isGreedy ? 1 : 0 },
      }
    },
    createCorpusScores: () =>
      Object.fromEntries(Object.entries(OVER_ALL).map(([name, one]) => [name, overAll(one)] as const)),
  })

interface OverAll {
  /** The divisor of the log-likelihood of a text. */
  readonly size: (text: TextLikelihood) => number
  /** Returns the score for a mean of negative log-likelihoods. It rises with it. */
  readonly of: (nats: number) => number
}

const OVER_ALL: Readonly<Record<string, OverAll>> = {
  perplexity: { size: () => 1, of: Math.exp },
  word_perplexity: { size: ({ words }) => words, of: Math.exp },
  byte_perplexity: { size: ({ bytes }) => bytes, of: Math.exp },
  bits_per_byte: { size: ({ bytes }) => bytes, of: (nats) => nats / Math.LN2 },
}

function overAll({ size, of }: OverAll): CorpusScore {
  const ratio: Ratio = createRatio()
  return {
    add({ sample }, _scores, unit) {
      const [text] = likelihoodsOf(sample).texts
      if (text !== undefined) ratio.add(-text.logprob, size(text), unit)
    },
    value: () => scoreValue(of(ratio.result().value)),
    interval() {
      const { interval } = ratio.result()
      return interval === null ? null : { ...interval, low: of(interval.low), high: of(interval.high) }
    },
  }
}
