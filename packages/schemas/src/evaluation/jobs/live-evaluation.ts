import { Type, type Static } from "@sinclair/typebox"
import { JobStatusDetails, LAUNCH_FIELDS } from "./evaluation-job.ts"
import type { EvaluationConfigBody } from "../evaluation-config.ts"
import { EvaluationResult } from "../evaluation-result.ts"
import type { EvaluationTargetBody } from "../evaluation-target.ts"
import { LiveRow } from "../rows/scored-row.ts"

/** Maximum number of rows of a live evaluation. */
export const MAX_LIVE_ROWS = 100

/** An evaluation of a few rows with the result in the response. Nothing is stored, so that the fields of a record have no effect. */
export const LiveBody = Type.Object(LAUNCH_FIELDS, { $id: "LiveBody", additionalProperties: false })
export type LiveBody = {
  namespace?: string
  target: string | EvaluationTargetBody
  config: string | EvaluationConfigBody
}

export const LiveAnswer = Type.Object(
  {
    status: Type.String({ examples: ["COMPLETED"] }),
    status_details: JobStatusDetails,
    result: Type.Union([EvaluationResult, Type.Null()]),
    rows: Type.Array(LiveRow, { description: "Answers and scores of the rows, in the order in which they ended." }),
    logs: Type.String({ description: "The lines of the log." }),
  },
  { $id: "LiveAnswer" },
)
export type LiveAnswer = Static<typeof LiveAnswer>
