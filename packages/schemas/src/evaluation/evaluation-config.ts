import { Type, type Static } from "@sinclair/typebox"
import { AnyName, Timestamp, enumeration } from "../records/field-types.ts"
import { JobBudget } from "./decisions/budget.ts"
import { JobRecording } from "./jobs/job-recording.ts"
import { ModelPrice } from "./prices/price-table.ts"
import { JobGate } from "./decisions/gates.ts"
import { MAX_SLICE_COLUMNS } from "./decisions/slices.ts"
import { HarnessConfig } from "./harness-config.ts"
import { AgentConfig } from "./agent-config.ts"
import { ConversationConfig } from "./conversation/conversation-config.ts"
import { MetricConfig } from "./metric-config.ts"
import { numberField } from "../records/number-field.ts"

export const CONFIG_TYPES = [
  "custom",
  "similarity_metrics",
  "agentic",
  "retriever",
  "content_safety",
  "calibration",
  "benchmark",
] as const
export type ConfigType = (typeof CONFIG_TYPES)[number]

const OptionalNumber = (description: string) =>
  Type.Optional(Type.Union([numberField("sent", { description }), Type.Null()]))

/** Parameters of calls and runs. Those of a task win over those of the configuration. */
export const EvaluationParams = Type.Object(
  {
    parallelism: Type.Optional(
      Type.Union([Type.Integer({ minimum: 1, maximum: 1024 }), Type.Null()], {
        description: "Requests in flight. Default 8.",
      }),
    ),
    rate: Type.Optional(
      Type.Union([Type.Number({ minimum: 0.001, maximum: 1_000_000 }), Type.Null()], {
        description:
          "Only in the params of the configuration: maximum number of requests a second to each endpoint and key, retries among them. They leave evenly. Default: as many as the endpoint accepts.",
      }),
    ),
    limit_samples: Type.Optional(
      Type.Union([numberField("count"), Type.Null()], {
        description: "Maximum number of rows of each dataset.",
      }),
    ),
    max_retries: Type.Optional(
      Type.Union([Type.Integer({ minimum: 0, maximum: 100 }), Type.Null()], { description: "Default 3." }),
    ),
    max_rate_limit_wait: Type.Optional(
      Type.Union([Type.Number({ minimum: 0, maximum: 86_400 }), Type.Null()], {
        description:
          "Maximum number of seconds that a call waits in total while an endpoint limits the rate (429). Retry-After is obeyed, and such tries do not count in max_retries; with 0 they count. Default 300; 0 in a live evaluation.",
      }),
    ),
    request_timeout: Type.Optional(
      Type.Union([Type.Number({ exclusiveMinimum: 0, maximum: 86_400 }), Type.Null()], {
        description: "Maximum number of seconds of each try. Default 60.",
      }),
    ),
    max_failed_share: Type.Optional(
      Type.Union([Type.Number({ minimum: 0, maximum: 1 }), Type.Null()], {
        description: "Share of rows that may fail before the job fails. Default 0.1.",
      }),
    ),
    repeats: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1000,
        description: "Number of times that each row is evaluated. Default 1.",
      }),
    ),
    shard_rows: Type.Optional(
      Type.Union([Type.Integer({ minimum: 10, maximum: 1_000_000 }), Type.Null()], {
        description:
          "Rows that a worker takes at a time, if several workers share a PostgreSQL database. A job with no more rows is run by one worker. Default 1000.",
      }),
    ),
    executor: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description:
          "Only in the params of the configuration: the profile of ASSAY_EXECUTORS whose engine runs the rows in shards. Default: the server, or the command, runs them itself.",
      }),
    ),
    shards: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 100_000,
        description: "Number of shards on the executor. Default: that of its profile.",
      }),
    ),
    at_once: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 100_000,
        description:
          "Shards that run at the same time on the executor, which share `parallelism`. Default: that of its profile.",
      }),
    ),
    priority: Type.Optional(
      Type.Integer({
        minimum: -100,
        maximum: 100,
        description:
          "Only in the params of the configuration: jobs of a workspace with a higher number get free workers first. Default 0.",
      }),
    ),
    cluster_by: Type.Optional(
      Type.Union([Type.String({ minLength: 1, maxLength: 200 }), Type.Null()], {
        description:
          "A field of the rows with the name of their group, such as the document that several questions are about. Rows of a group count as one in standard errors and intervals.",
      }),
    ),
    slices: Type.Optional(
      Type.Union(
        [Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { maxItems: MAX_SLICE_COLUMNS }), Type.Null()],
        {
          description:
            "Fields of the rows, such as `language` or `about.topic`: results have each score by their values, and name the worst slice.",
        },
      ),
    ),
    max_false_block: Type.Optional(
      Type.Union([Type.Number({ minimum: 0, maximum: 1 }), Type.Null()], {
        description:
          "Only for `calibration`, and only in the params of the configuration: the largest share of safe prompts that a judge may block. The whole interval is compared with it.",
      }),
    ),
    max_miss: Type.Optional(
      Type.Union([Type.Number({ minimum: 0, maximum: 1 }), Type.Null()], {
        description: "Only for `calibration`: the largest share of unsafe prompts that a judge may miss.",
      }),
    ),
    gates: Type.Optional(
      Type.Array(JobGate, {
        maxItems: 50,
        description: "Only in the params of the configuration: limits of scores, which decide whether the job passes.",
      }),
    ),
    budget: Type.Optional(JobBudget),
    prices: Type.Optional(
      Type.Array(ModelPrice, {
        maxItems: 100,
        description:
          "Only in the params of the configuration: prices of models, which come before those of the price table, in its currency. They do not count for the budget of a workspace.",
      }),
    ),
    recording: Type.Optional(JobRecording),
    cache: Type.Optional(
      Type.Boolean({ description: "Whether answers are shared with other jobs of the workspace. Default false." }),
    ),
    temperature: OptionalNumber("Sent without change."),
    top_p: OptionalNumber("Sent without change."),
    max_tokens: OptionalNumber("Sent without change."),
    seed: OptionalNumber("Sent without change."),
    stop: Type.Optional(Type.Union([Type.String(), Type.Array(Type.String()), Type.Null()])),
    extra: Type.Optional(Type.Record(AnyName, Type.Unknown(), { description: "Other parameters of each request." })),
  },
  { $id: "EvaluationParams", additionalProperties: true },
)
export type EvaluationParams = Static<typeof EvaluationParams>

/** Names of tasks and metrics appear in messages, in results and in the columns of tables. */
const NAME = { maxLength: 200 }

export const EvaluationTask = Type.Object(
  {
    type: Type.Optional(Type.String({ examples: ["chat-completion"] })),
    params: Type.Optional(
      Type.Intersect([
        EvaluationParams,
        Type.Object({
          template: Type.Optional(Type.Unknown()),
          conversation: Type.Optional(ConversationConfig),
          agent: Type.Optional(AgentConfig),
        }),
      ]),
    ),
    metrics: Type.Optional(Type.Record(AnyName, MetricConfig, { maxProperties: 100, propertyNames: NAME })),
    dataset: Type.Optional(
      Type.Unknown({ description: "An object with `files_url` or `rows`, or `namespace/name[#path]`." }),
    ),
    output: Type.Optional(
      Type.String({
        description:
          "Only for tasks whose rows have outputs already: a template of the output. Default: the row's `response` or `output`.",
        examples: ["{{ item.reply }}"],
      }),
    ),
  },
  { $id: "EvaluationTask", additionalProperties: true },
)
export type EvaluationTask = {
  type?: string
  params?: EvaluationParams & { template?: unknown; conversation?: ConversationConfig; agent?: AgentConfig } & Record<
      string,
      unknown
    >
  metrics?: Record<string, MetricConfig>
  dataset?: unknown
  output?: string
} & Record<string, unknown>

/** The tasks for a target, and the metrics of their answers. */
export const EvaluationConfigBody = Type.Object(
  {
    type: enumeration(CONFIG_TYPES, {
      description:
        "`calibration` measures judges: each task is a judge with its guardrail in `params.guardrail`, and the rows of the target are labelled prompts. Its results contain `results/report.json`, a CalibrationReport.",
    }),
    name: Type.Optional(Type.String({ pattern: "^[\\w\\-+.@:]*$", maxLength: 255 })),
    namespace: Type.Optional(Type.String({ default: "default" })),
    description: Type.Optional(Type.String()),
    params: Type.Optional(EvaluationParams),
    tasks: Type.Optional(Type.Record(AnyName, EvaluationTask, { maxProperties: 500, propertyNames: NAME })),
    groups: Type.Optional(Type.Record(AnyName, Type.Unknown())),
    harness: Type.Optional(HarnessConfig),
    project: Type.Optional(Type.String()),
    custom_fields: Type.Optional(Type.Record(AnyName, Type.Unknown())),
  },
  { $id: "EvaluationConfigBody", additionalProperties: true },
)
export type EvaluationConfigBody = Omit<Static<typeof EvaluationConfigBody>, "tasks"> & {
  tasks?: Record<string, EvaluationTask>
}

export const EvaluationConfig = Type.Intersect(
  [EvaluationConfigBody, Type.Object({ id: Type.String(), created_at: Timestamp, updated_at: Timestamp })],
  { $id: "EvaluationConfig" },
)
export type EvaluationConfig = EvaluationConfigBody & { id: string; created_at: string; updated_at: string }

/** Metrics that are added to a finished job, by task. */
export const ScoreBody = Type.Object(
  {
    tasks: Type.Record(AnyName, Type.Object({ metrics: Type.Record(AnyName, MetricConfig, { minProperties: 1 }) }), {
      minProperties: 1,
    }),
  },
  { $id: "ScoreBody", additionalProperties: false },
)
export type ScoreBody = { tasks: Record<string, { metrics: Record<string, MetricConfig> }> }

/** The rows that an attempt evaluates: rows without an answer, failed rows, or none because it only adds scores. */
export type JobScope =
  | { readonly kind: "run" }
  | { readonly kind: "retry-failed" }
  /** New metrics for finished rows, by task. */
  | { readonly kind: "score"; readonly metrics: Readonly<Record<string, Readonly<Record<string, MetricConfig>>>> }
