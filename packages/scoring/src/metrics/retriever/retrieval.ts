import { rankingMetric } from "./ranking-metric.ts"
import { RETRIEVER_KEYS } from "./retriever-row.ts"

/** The scores of rankings: their metric, and the keys of rows that it reads. */
export const retrieval = Object.freeze({ metric: rankingMetric, keys: RETRIEVER_KEYS })
