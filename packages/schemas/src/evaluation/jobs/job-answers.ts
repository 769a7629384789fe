import { Type, type Static } from "@sinclair/typebox"
import { AnyName, enumeration } from "../../records/field-types.ts"
import { Condition } from "../conditions/condition.ts"
import { EvaluationJob, evaluationPageOf, JobStatusDetails } from "./evaluation-job.ts"

const JobStatusWord = Type.String({ examples: ["RUNNING"] })

/** The progress of a job. */
export const JobStatusAnswer = Type.Object(
  {
    status: JobStatusWord,
    message: Type.String(),
    task_status: JobStatusDetails.properties.task_status,
    progress: JobStatusDetails.properties.progress,
    samples_processed: Type.Integer({ description: "Number of rows that have an answer or have failed." }),
    samples_total: Type.Union([Type.Integer(), Type.Null()], { description: "Null until the rows are counted." }),
    conditions: Type.Array(Condition),
    verdict: JobStatusDetails.properties.verdict,
    rescored_from: EvaluationJob.properties.rescored_from,
  },
  { $id: "JobStatusAnswer", additionalProperties: true },
)
export type JobStatusAnswer = Static<typeof JobStatusAnswer>

/** The conditions of a job, and the commands to run next. */
export const JobExplanation = Type.Object(
  {
    status: JobStatusWord,
    summary: Type.String({ description: "The event, in one or two sentences." }),
    conditions: Type.Array(Condition),
    next: Type.Array(Type.String(), { description: "Commands or requests to run next." }),
  },
  { $id: "JobExplanation" },
)
export type JobExplanation = Static<typeof JobExplanation>

export const EvaluationJobPage = evaluationPageOf(EvaluationJob, "EvaluationJobPage")
export type EvaluationJobPage = Omit<Static<typeof EvaluationJobPage>, "data"> & { data: EvaluationJob[] }

export const JOB_EVENT_KINDS = ["progress", "log", "condition", "status"] as const
export type JobEventKind = (typeof JOB_EVENT_KINDS)[number]

/** A server-sent event of a job: its number as `id`, its kind as `event`, and `data` as JSON. */
export const JobEvent = Type.Object(
  {
    id: Type.Integer({
      description: "Larger than the ids of earlier events. `Last-Event-ID` continues after this event.",
    }),
    event: enumeration(JOB_EVENT_KINDS),
    data: Type.Record(AnyName, Type.Unknown()),
  },
  { $id: "JobEvent" },
)
export type JobEvent = { id: number; event: JobEventKind; data: Readonly<Record<string, unknown>> }
