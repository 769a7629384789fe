import { createCompareThreads } from "./compare-threads.ts"
import { queuePairs } from "./pair-queue.ts"

/** Comparisons on threads, and rows of two jobs that people should label next. */
export const jobComparison = Object.freeze({ createThreads: createCompareThreads, queuePairs })
