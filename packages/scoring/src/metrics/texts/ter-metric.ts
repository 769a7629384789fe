import { createExactSum, createTer, terScore } from "@assay/metrics"
import { setImmediate } from "node:timers/promises"
import { plainMetric, scoreValue, type DefineMetric } from "../metric-definition.ts"
import { flagOf } from "../metric-templates.ts"
import { comparedTexts } from "./compared-texts.ts"

/**
 * `ter`: the translation edit rate of each answer as `sentence` and of all answers together as `corpus`, in percent of the words of the
 * references; and what it is computed from, as `edits` and `reference_length`.
 */
export const terMetric: DefineMetric = (setup) => {
  const texts = comparedTexts(setup)
  const ter = createTer({
    normalized: flagOf(setup, "normalized"),
    noPunctuation: flagOf(setup, "no_punct"),
    asianSupport: flagOf(setup, "asian_support"),
    caseSensitive: flagOf(setup, "case_sensitive"),
  })
  return plainMetric(setup, {
    scores: ["sentence", "edits", "reference_length", "corpus"],
    templates: texts.templates,
    fields: texts.fields,
    isAmount: true,
    async score(input, { signal }) {
      const { candidate, references } = texts.of(input)
      const pause = () => setImmediate(undefined, { signal })
      const isLong = [candidate, ...references].some(({ length }) => length > LONG)
      const counts = isLong ? await ter.countInTurns(candidate, references, pause) : ter.count(candidate, references)
      const { edits, referenceLength } = counts
      return { scores: { sentence: terScore(counts), edits, reference_length: referenceLength } }
    },
    createCorpusScores() {
      const edits = createExactSum()
      const referenceLength = createExactSum()
      let rows = 0
      return {
        corpus: {
          add(_input, scores) {
            rows += 1
            edits.add(Number(scores["edits"]))
            referenceLength.add(Number(scores["reference_length"]))
          },
          value: () =>
            scoreValue(
              rows === 0 ? Number.NaN : terScore({ edits: edits.value(), referenceLength: referenceLength.value() }),
            ),
        },
      }
    },
  })
}

/** The characters of a text above which a comparison may take more than 10 ms. */
const LONG = 1000
