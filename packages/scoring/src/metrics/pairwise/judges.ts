import { keepAnswers, readAnswers } from "../judge/judge-answers.ts"
import { definePairwiseJudge } from "./pairwise-judge.ts"
import { DEFAULT_CRITERION } from "./pairwise-question.ts"
import { storedPair } from "./stored-pair.ts"

/** The judge of pairs, what people are shown who answer its question, and the answers of all judges while they are asked, and when their scores are read again. */
export const judges = Object.freeze({
  keepAnswers,
  readAnswers,
  defineOfPairs: definePairwiseJudge,
  storedPair,
  criterion: DEFAULT_CRITERION,
})
