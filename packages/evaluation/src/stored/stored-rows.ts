import { scoreInput } from "../engine/score-input.ts"
import { scoreSample } from "../engine/score-sample.ts"
import { countStoredRows } from "./count-stored-rows.ts"
import { describeTask } from "./counted-task.ts"
import { planCountedJob } from "./plan-counted-job.ts"
import { planStoredJob } from "./plan-stored-job.ts"

/** The metrics that compute the scores and the numbers of stored rows again, without asking anything. */
export const storedRows = Object.freeze({
  plan: planStoredJob,
  planCounted: planCountedJob,
  describe: describeTask,
  input: scoreInput,
  score: scoreSample,
  count: countStoredRows,
})
