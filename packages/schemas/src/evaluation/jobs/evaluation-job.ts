import { Type, type Static, type TSchema } from "@sinclair/typebox"
import { AnyName, enumeration, orNull, Timestamp } from "../../records/field-types.ts"
import { Pagination } from "../../records/page.ts"
import { Condition } from "../conditions/condition.ts"
import { EvaluationConfigBody } from "../evaluation-config.ts"
import { EarlyStop, JobGateState } from "../decisions/gates.ts"
import { EvaluationTargetBody } from "../evaluation-target.ts"
import { LaunchEstimate } from "../launch/launch-check.ts"

export const JOB_STATUSES = [
  "CREATED",
  "PENDING",
  "RUNNING",
  "CANCELLING",
  "CANCELLED",
  "COMPLETED",
  "FAILED",
  "UNAVAILABLE",
] as const
export type JobStatus = (typeof JOB_STATUSES)[number]

const TaskStatus = enumeration(["pending", "running", "completed", "failed"] as const)
const Nullable = <T extends ReturnType<typeof Type.String>>(schema: T) => Type.Union([schema, Type.Null()])

export const JobStatusDetails = Type.Object(
  {
    message: Type.String(),
    task_status: Type.Record(AnyName, TaskStatus),
    progress: Type.Union([Type.Number({ minimum: 0, maximum: 100 }), Type.Null()]),
    samples_processed: Type.Optional(
      Type.Integer({ description: "Number of rows that have an answer or have failed." }),
    ),
    samples_total: Type.Optional(
      Type.Union([Type.Integer(), Type.Null()], { description: "Null until the rows are counted." }),
    ),
    samples_failed: Type.Optional(Type.Integer()),
    means: Type.Optional(Type.Record(AnyName, Type.Number(), { description: "Running means by `task.metric.score`." })),
    tokens: Type.Optional(
      Type.Object(
        {
          prompt: orNull<number>("integer", "Null: no answer says it."),
          completion: orNull<number>("integer", "Null: no answer says it."),
          total: Type.Optional(
            orNull<number>(
              "integer",
              "With those of answers that give only a sum. Absent: the sum of both. Null: no answer says it.",
            ),
          ),
          uncounted: Type.Optional(
            Type.Integer({ description: "Answers that do not say how many tokens they took. Absent: all say it." }),
          ),
        },
        { description: "Tokens of the answers of the target, as its endpoint counts them." },
      ),
    ),
    cost: Type.Optional(
      Type.Union([Type.Object({ amount: Type.Number(), currency: Type.String() }), Type.Null()], {
        description:
          "The cost of the tokens of the target, without those of judges. Null if the prices of the server lack its model, or if an answer does not say how many tokens of each kind it took; absent if the server has no prices.",
      }),
    ),
    estimate: Type.Optional(LaunchEstimate),
    gates: Type.Optional(
      Type.Array(JobGateState, {
        description:
          "The gates of `params.gates`, and of a `calibration` its limits. Those that are early are reported while the job runs.",
      }),
    ),
    verdict: Type.Optional(
      Type.Unsafe<"PASS" | "INCONCLUSIVE" | "FAIL" | null>({
        enum: ["PASS", "INCONCLUSIVE", "FAIL", null],
        description:
          "The verdict of a job that has ended: the worst one of its gates, and INCONCLUSIVE instead of PASS if a condition puts its scores in doubt. Null if it has not completed, and if it has no gates and no such condition.",
      }),
    ),
    stopped_early: Type.Optional(EarlyStop),
    budget_exhausted: Type.Optional(
      Type.String({
        description:
          "The limit of `params.budget`, or of the budget of the workspace, that ended the job, such as `max_tokens`.",
      }),
    ),
  },
  { $id: "JobStatusDetails", additionalProperties: true },
)
export type JobStatusDetails = Static<typeof JobStatusDetails>

/** The exact files of a dataset that a job has read. */
export const DatasetPin = Type.Object(
  {
    files_url: Type.String(),
    fileset: Type.String({ description: "`<workspace>/<name>`." }),
    fileset_id: Type.String(),
    revision: Type.Union([Type.String(), Type.Null()], {
      description: "The resolved commit or version, if the storage has one.",
    }),
    files: Type.Array(
      Type.Object({
        path: Type.String(),
        size: Type.Integer(),
        sha256: Nullable(Type.String()),
        etag: Nullable(Type.String()),
      }),
    ),
  },
  { $id: "DatasetPin" },
)
export type DatasetPin = Static<typeof DatasetPin>

/** `"namespace/name"` of a stored record, or the body itself. */
const TargetOrName = Type.Union([Type.String({ minLength: 1 }), EvaluationTargetBody])
const ConfigOrName = Type.Union([Type.String({ minLength: 1 }), EvaluationConfigBody])

const ByServer = Type.Optional(
  Type.Unknown({ description: "Accepted from clients of the first version, and set by the server." }),
)

/** The fields of a launch. An unknown field is refused here: it would be dropped, with whatever it should have done. */
export const LAUNCH_FIELDS = {
  namespace: Type.Optional(Type.String({ minLength: 1, default: "default" })),
  target: TargetOrName,
  config: ConfigOrName,
  description: Type.Optional(Type.String()),
  project: Type.Optional(Type.String()),
  custom_fields: Type.Optional(Type.Record(AnyName, Type.Unknown())),
  output_files_url: Type.Optional(Type.String()),
  ownership: Type.Optional(Type.Unknown({ description: "Kept as it is given." })),
  id: ByServer,
  result: ByServer,
  status: ByServer,
  status_details: ByServer,
  created_at: ByServer,
  updated_at: ByServer,
}

export const LaunchBody = Type.Object(LAUNCH_FIELDS, { $id: "LaunchBody", additionalProperties: false })
export type LaunchBody = {
  namespace?: string
  target: string | EvaluationTargetBody
  config: string | EvaluationConfigBody
  description?: string
  project?: string
  custom_fields?: Record<string, unknown>
  output_files_url?: string
  ownership?: unknown
}

/** A job that scores the outputs of another one by the metrics of a configuration. */
export const RescoreBody = Type.Object(
  {
    config: ConfigOrName,
    namespace: Type.Optional(
      Type.String({
        minLength: 1,
        description: "The workspace of the new job. Default: that of the job with the outputs.",
      }),
    ),
    description: LAUNCH_FIELDS.description,
    project: LAUNCH_FIELDS.project,
    custom_fields: LAUNCH_FIELDS.custom_fields,
    output_files_url: LAUNCH_FIELDS.output_files_url,
  },
  { $id: "RescoreBody", additionalProperties: false },
)
export type RescoreBody = Omit<LaunchBody, "target" | "ownership">

export const EvaluationJob = Type.Object(
  {
    id: Type.String({ examples: ["eval-3QJmnh8Y1kGqvS4cQKFJ2b"] }),
    namespace: Type.String(),
    description: Type.String(),
    target: EvaluationTargetBody,
    config: EvaluationConfigBody,
    status: Type.String({ description: `One of ${JOB_STATUSES.join(", ")}.` }),
    status_details: JobStatusDetails,
    conditions: Type.Array(Condition),
    result: Type.Union([Type.String({ description: "The id of the result." }), Type.Null()]),
    output_files_url: Type.Union([Type.String(), Type.Null()]),
    project: Type.String(),
    custom_fields: Type.Record(AnyName, Type.Unknown()),
    ownership: Type.Record(AnyName, Type.Unknown()),
    rescored_from: Type.Optional(
      Type.String({ description: "The id of the job whose outputs this job scores. Absent: it asks its target." }),
    ),
    created_at: Timestamp,
    updated_at: Timestamp,
    started_at: Type.Union([Timestamp, Type.Null()]),
    finished_at: Type.Union([Timestamp, Type.Null()]),
    pins: Type.Array(DatasetPin),
  },
  { $id: "EvaluationJob" },
)
export type EvaluationJob = Omit<Static<typeof EvaluationJob>, "status" | "target" | "config" | "conditions"> & {
  status: JobStatus
  target: EvaluationTargetBody
  config: EvaluationConfigBody
  conditions: Condition[]
}

/** Returns the schema of a page in the form of the real platform. */
export function evaluationPageOf<T extends TSchema>(record: T, id: string) {
  return Type.Object(
    {
      object: Type.Literal("list"),
      data: Type.Array(record),
      pagination: Pagination,
      sort: Type.String(),
      filter: Type.Record(AnyName, Type.Unknown()),
      search: Type.Record(AnyName, Type.Unknown()),
    },
    { $id: id },
  )
}

/** A change of the words about a job. Its requests and results do not change. A given key replaces the whole value. */
export const UpdateJob = Type.Object(
  {
    description: Type.Optional(Type.String()),
    project: Type.Optional(Type.String()),
    custom_fields: Type.Optional(
      Type.Record(AnyName, Type.Unknown(), { description: "The console shows the texts of the list `tags` as tags." }),
    ),
  },
  { $id: "UpdateJob", additionalProperties: false, minProperties: 1 },
)
export type UpdateJob = Static<typeof UpdateJob>
