import type { ApiEndpoint, MetricConfig, RowRequest, ScoreValue } from "@assay/schemas"
import type { StepBudget } from "@assay/templates"
import { type FieldRead, type RowTemplate, fieldsOfTemplates, readsOutput } from "../templates/row-template.ts"
import type { ScoringContext, ScoringEnvironment } from "../scoring-context.ts"
import type { CallLimits } from "../models/run-params.ts"
import type { BoundMetric, ScoreInput } from "./bound-metric.ts"
import type { ReferenceTexts } from "./texts/compared-texts.ts"

/** The configuration of a metric in a task. */
export interface MetricSetup {
  /** Its key in the task. */
  readonly key: string
  readonly type: string
  readonly params: NonNullable<MetricConfig["params"]>
  /** The location of its parameters, for messages: `tasks.qa.metrics.accuracy.params`. */
  readonly name: string
  /** The texts that an answer is compared with if the parameters name none. */
  readonly references?: ReferenceTexts | undefined
  /** Time limit and number of retries of its task, for metrics that send requests. */
  readonly run: CallLimits
}

/** A metric whose parameters are valid. Nothing is opened before `bind`. */
export interface MetricDefinition {
  readonly key: string
  readonly type: string
  readonly scores: readonly string[]
  /** Those of them that are computed over all rows at once. Absent: none is. */
  readonly ofAllRows?: readonly string[]
  /** The fields that it needs in each row. */
  readonly fields: readonly FieldRead[]
  /** The parameters that were given and those that the metric read. A given parameter that is never read has no effect. */
  readonly params?: { readonly given: readonly string[]; readonly read: readonly string[] }
  /** Whether it needs the text of the answer. */
  readonly readsOutput: boolean
  /** The models that it asks with chats. */
  readonly endpoints: readonly ApiEndpoint[]
  /** Does checks at a launch that take longer than reading the parameters. @throws what is wrong with them */
  readonly check?: (environment: ScoringEnvironment, signal: AbortSignal) => Promise<void>
  readonly bind: (context: ScoringContext) => Promise<BoundMetric>
  /** Renders the requests of the metric about an answer, and sends nothing. Absent: it sends none. @throws `template_error`, `rows_invalid` */
  readonly renderRequests?: (input: ScoreInput, steps: StepBudget) => readonly RowRequest[]
}

/** Reads the parameters of a metric. @throws `invalid_request` and `template_error` that name the parameter */
export type DefineMetric = (setup: MetricSetup) => MetricDefinition

/** The parts that a metric without requests adds to its setup. */
export interface PlainMetric extends Pick<
  BoundMetric,
  "scores" | "score" | "createCorpusScores" | "isAmount" | "ranges"
> {
  /** Its templates. Undefined means the text of the answer itself. */
  readonly templates: readonly (RowTemplate | undefined)[]
  /** The fields that it needs besides those of its templates. */
  readonly fields?: readonly FieldRead[]
}

/** Defines a metric that sends no requests. The same function serves every plan. */
export function plainMetric({ key, type }: MetricSetup, metric: PlainMetric): MetricDefinition {
  const { templates, fields = [], ...rest } = metric
  const given = templates.filter((template) => template !== undefined)
  const bound: BoundMetric = { key, type, isRemote: false, ...rest }
  return {
    key,
    type,
    scores: rest.scores,
    ofAllRows: Object.keys(rest.createCorpusScores?.() ?? {}),
    fields: [...fieldsOfTemplates(given), ...fields],
    readsOutput: given.length < templates.length || readsOutput(given),
    endpoints: [],
    bind: () => Promise.resolve(bound),
  }
}

/** Converts a number to the form in which rows store it: NaN becomes "NaN". */
export function scoreValue(value: number): ScoreValue {
  return Number.isNaN(value) ? "NaN" : value
}
