import { invalidRequest } from "@assay/schemas"
import { createCorpusBleu, createRouge, sentenceBleu, sentenceChrf, type Rouge, type RougeScores } from "@assay/metrics"
import { setImmediate } from "node:timers/promises"
import type { MetricOutcome } from "../bound-metric.ts"
import { type DefineMetric, type MetricSetup, plainMetric, scoreValue } from "../metric-definition.ts"
import { comparedTexts } from "./compared-texts.ts"

const TOKENIZERS = ["13a", "intl", "char", "none"] as const

/** Reads the tokeniser of BLEU. @throws `invalid_request` for an unknown one */
function tokenizerOf({ params, name }: MetricSetup): (typeof TOKENIZERS)[number] {
  const given = params["tokenize"] ?? "13a"
  const found = TOKENIZERS.find((one) => one === given)
  if (found !== undefined) return found
  throw invalidRequest([...name.split("."), "tokenize"], `is not one of ${TOKENIZERS.join(", ")}.`, "enum", given)
}

/** `bleu`: BLEU of each answer as `sentence` and of all answers together as `corpus`, 0 to 100. `tokenize` is one of `TOKENIZERS`, `13a` by default. */
export const bleuMetric: DefineMetric = (setup) => {
  const texts = comparedTexts(setup)
  const options = { tokenizer: tokenizerOf(setup) }
  return plainMetric(setup, {
    scores: ["sentence", "corpus"],
    ranges: { sentence: [0, 100] },
    templates: texts.templates,
    fields: texts.fields,
    score(input) {
      const { candidate, references } = texts.of(input)
      return { scores: { sentence: sentenceBleu(candidate, references, options) } }
    },
    createCorpusScores() {
      const corpus = createCorpusBleu(options)
      return {
        corpus: {
          add(input) {
            const { candidate, references } = texts.of(input)
            corpus.add(candidate, references)
          },
          value: () => scoreValue(corpus.score()),
        },
      }
    },
  })
}

const MAX_WORD_ORDER = 6

/** Reads the length of the longest n-grams of words. @throws `invalid_request` unless it is a whole number from 0 to 6 */
function wordOrderOf({ params, name }: MetricSetup): number {
  const given = params["word_order"] ?? 0
  if (typeof given === "number" && Number.isInteger(given) && given >= 0 && given <= MAX_WORD_ORDER) return given
  const message = `is not a whole number from 0 to ${MAX_WORD_ORDER}; 2 is chrF++.`
  throw invalidRequest([...name.split("."), "word_order"], message, "value_error", given)
}

/** `chrf`: chrF2 of each answer, 0 to 100. `word_order: 2` is chrF++. */
export const chrfMetric: DefineMetric = (setup) => {
  const texts = comparedTexts(setup)
  const options = { wordOrder: wordOrderOf(setup) }
  return plainMetric(setup, {
    scores: ["chrf"],
    ranges: { chrf: [0, 100] },
    templates: texts.templates,
    fields: texts.fields,
    score(input) {
      const { candidate, references } = texts.of(input)
      return { scores: { chrf: sentenceChrf(candidate, references, options) } }
    },
  })
}

const SCORES = {
  rouge_1_score: "rouge1",
  rouge_2_score: "rouge2",
  rouge_3_score: "rouge3",
  rouge_L_score: "rougeL",
  rouge_Lsum_score: "rougeLsum",
} as const satisfies Record<string, keyof RougeScores>

/** `rouge`: the F-measures of ROUGE-1, -2, -3, -L and -Lsum. With several references, each is the best over them. */
export const rougeMetric: DefineMetric = (setup) => {
  const texts = comparedTexts(setup)
  const rouge = createRouge()
  return plainMetric(setup, {
    scores: Object.keys(SCORES),
    templates: texts.templates,
    fields: texts.fields,
    score(input, { signal }) {
      const { candidate, references } = texts.of(input)
      const isLong = references.some((reference) => candidate.length * reference.length > LONG)
      if (!isLong) return bestOf(references.map((reference) => rouge.score(candidate, reference)))
      return scoreInTurns(rouge, { candidate, references }, signal)
    },
  })
}

/** The product of two text lengths above which their longest common subsequence may take more than 10 ms. */
const LONG = 400_000_000

async function scoreInTurns(
  rouge: Rouge,
  { candidate, references }: { readonly candidate: string; readonly references: readonly string[] },
  signal: AbortSignal,
): Promise<MetricOutcome> {
  const all: RougeScores[] = []
  for (const reference of references) {
    all.push(await rouge.scoreInTurns(candidate, reference, () => setImmediate(undefined, { signal })))
  }
  return bestOf(all)
}

function bestOf(all: readonly RougeScores[]): MetricOutcome {
  const best = (name: keyof RougeScores) => Math.max(...all.map((scores) => scores[name].fMeasure))
  return { scores: Object.fromEntries(Object.entries(SCORES).map(([score, name]) => [score, scoreValue(best(name))])) }
}
