import { keepAnswers, readAnswers } from "../judge/judge-answers.ts"
import { definePairwiseJudge } from "./pairwise-judge.ts"

/** The judge of pairs, and the answers of all judges while they are asked, and when their scores are read again. */
export const judges = Object.freeze({ keepAnswers, readAnswers, defineOfPairs: definePairwiseJudge })
