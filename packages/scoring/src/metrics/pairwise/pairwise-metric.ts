import { fieldsOfTemplates, readsOutput } from "../../templates/row-template.ts"
import type { MetricOutcome } from "../bound-metric.ts"
import type { DefineMetric } from "../metric-definition.ts"
import { candidateText } from "../texts/compared-texts.ts"
import { openAnswers, openOpposing, opposingAnswer } from "./opposing-answer.ts"
import { definePairwiseJudge, type PairVerdict } from "./pairwise-judge.ts"
import { valueText } from "../../rows/value-text.ts"

/** 1 if the answer wins, 0.5 for a tie, 0 if the other one wins. */
const SCORE = "pairwise"
/** 1 for a tie. */
const TIE = "tie"
/** 1 if the judge named another winner when it saw the answers in the other order. */
const POSITION_BIAS = "position_bias"
/** 1 if the longer answer wins, 0 if the shorter one does. Ties and answers of one length have none. */
const LONGER_WINS = "longer_wins"

/**
 * `pairwise`: a judge says which of two answers is better: the answer of the row, or the one in `against`. It sees both orders; if they contradict each other,
 * the pair is a tie. Equal texts are a tie, and the judge is not asked.
 * Source of both orders: Zheng et al., "Judging LLM-as-a-Judge", arXiv 2306.05685, section 3.4; the prompt is ours.
 */
export const pairwiseMetric: DefineMetric = (setup) => {
  const { key, type } = setup
  const judge = definePairwiseJudge(setup)
  const candidate = candidateText(setup)
  const opposing = opposingAnswer(setup)
  const scores = [SCORE, TIE, POSITION_BIAS, LONGER_WINS]
  const own = candidate.template === undefined ? [] : [candidate.template]
  const templates = [...judge.templates, ...own, ...(opposing.from === "template" ? [opposing.template] : [])]
  return {
    key,
    type,
    scores,
    fields: fieldsOfTemplates(templates),
    readsOutput: candidate.template === undefined || readsOutput(templates),
    endpoints: [judge.endpoint],
    ...(opposing.from === "template"
      ? {}
      : { check: async (environment, signal) => void (await openAnswers(environment, opposing.job, signal)) }),
    renderRequests(input, steps) {
      const other =
        opposing.from === "template"
          ? valueText(opposing.template.evaluate(input, steps))
          : `(the answer of '${opposing.job}')`
      return judge.requests(input, [candidate.of(input), other], steps)
    },
    async bind(context) {
      const compare = await judge.open(context)
      const find = openOpposing(opposing, context)
      return {
        key,
        type,
        scores,
        ranges: Object.fromEntries(scores.map((score) => [score, [0, 1] as const])),
        isRemote: true,
        async score(input, options) {
          const text = candidate.of(input)
          const other = await find(input, options)
          const outcome = outcomeOf(await compare(input, [text, other], options), text.length - other.length)
          return opposing.from === "template" ? outcome : { ...outcome, comparedWith: other }
        },
      }
    },
  }
}

/** @param longer how many characters more the answer has than the other one */
function outcomeOf({ score, isContradictory, questions, unreadable }: PairVerdict, longer: number): MetricOutcome {
  if (unreadable !== undefined) {
    return { scores: { [SCORE]: "NaN", [TIE]: "NaN", [POSITION_BIAS]: "NaN" }, unreadable }
  }
  return {
    scores: {
      [SCORE]: score,
      [TIE]: Number(score === 0.5),
      ...(questions === 0 ? {} : { [POSITION_BIAS]: Number(isContradictory) }),
      ...(score === 0.5 || longer === 0 ? {} : { [LONGER_WINS]: Number(longer > 0 === (score === 1)) }),
    },
  }
}
