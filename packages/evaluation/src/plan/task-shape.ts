import type {
  ApiEndpoint,
  EvaluationConfigBody,
  EvaluationDataset,
  EvaluationSample,
  EvaluationTargetBody,
  EvaluationTask,
  RowRequest,
} from "@assay/schemas"
import type { StepBudget } from "@assay/templates"
import type { JobEnvironment, OpenedDataset } from "../job-environment.ts"
import type { Ask } from "./ask.ts"
import type {
  IssueList,
  MetricDefinition,
  RequestTemplate,
  RowSource,
  RunParams,
  ScoringContext,
  SourceRow,
} from "@assay/scoring"

/** Where the rows of a task come from. */
export type TaskRows =
  | { readonly kind: "rows"; readonly rows: readonly SourceRow["item"][] }
  | { readonly kind: "dataset"; readonly dataset: EvaluationDataset | string }

/** A task before anything is opened: its templates are compiled, and its metrics are defined. */
export interface TaskShape {
  readonly name: string
  /** The name of its results, if it is not its own name. */
  readonly group?: string | undefined
  readonly run: RunParams
  readonly rows: TaskRows
  /** Datasets that are read besides the rows. */
  readonly otherDatasets: readonly (EvaluationDataset | string)[]
  /** Fields that its rows must have. */
  readonly fields: MetricDefinition["fields"]
  readonly metrics: readonly MetricDefinition[]
  /** The models that are called: the target first, then the judges. */
  readonly endpoints: readonly ApiEndpoint[]
  /** The target, and its request about a row. Absent: no request to it is known before the job runs. */
  readonly asked?: AskedTarget | undefined
  /** Returns the output of a row that has one already. Absent: its `response` or `output`. @throws `template_error` */
  readonly given?: ((item: SourceRow["item"]) => EvaluationSample) | undefined
  /** Whether the answers are judgements of a guardrail, which a launch tries with the first row. Default false. */
  readonly isTried?: boolean
  /** Whether it reads log-probabilities of one prompt of the target, or of several in one request. A launch tries that. Absent: it reads none. */
  readonly readsLogprobs?: "one" | "several" | undefined
  /** Whether the answers of its models are always recorded. Default false. */
  readonly isRecorded?: boolean
  /** Checks at a launch what takes longer than shaping it. @throws what is wrong */
  readonly check?: ((environment: JobEnvironment, signal: AbortSignal) => Promise<void>) | undefined
  readonly openRows: (context: PlanContext) => Promise<RowSource>
  readonly openAsk: (context: PlanContext) => Promise<Ask>
  /** Renders the requests to the target about a row, and sends nothing. Absent: no target is asked. @throws `template_error`, `rows_invalid` */
  readonly renderRequests?: (
    item: SourceRow["item"],
    context: RenderContext,
  ) => readonly RowRequest[] | Promise<readonly RowRequest[]>
}

export interface AskedTarget {
  readonly endpoint: ApiEndpoint
  /** Renders the request about a row, with the steps that all templates share. @throws `template_error` */
  readonly render: (item: SourceRow["item"], steps: StepBudget) => ReturnType<RequestTemplate["render"]>
}

/** A task of a configuration, and the target. */
export interface TaskToShape {
  readonly target: EvaluationTargetBody
  readonly config: EvaluationConfigBody
  readonly name: string
  readonly task: EvaluationTask
  readonly issues: IssueList
}

/** Shapes a task. Returns undefined if its issues prevent that. */
export type ShapeTask = (task: TaskToShape) => TaskShape | undefined

/** The environment of a plan, and what its tasks share. */
export interface PlanContext extends ScoringContext {
  readonly environment: JobEnvironment
  /** Opens a dataset once for all tasks, and keeps its pin. @throws `dataset_format` without a `files_url`; the errors of the environment */
  readonly openDataset: (dataset: EvaluationDataset | string) => Promise<OpenedDataset>
}

/** The environment in which requests are rendered without a plan. */
export interface RenderContext extends Pick<JobEnvironment, "getGuardrail"> {
  /** The budget that all templates share. */
  readonly steps: StepBudget
}
