import type {
  ApiEndpoint,
  EvaluationConfigBody,
  EvaluationDataset,
  EvaluationTargetBody,
  EvaluationTask,
} from "@assay/schemas"
import type { MetricDefinition } from "../metrics/metric-definition.ts"
import type { FieldRead } from "./field-read.ts"
import type { PlanContext } from "./plan-context.ts"
import type { IssueList } from "./plan-issue.ts"
import type { RunParams } from "./run-params.ts"
import type { Ask, RowSource, SourceRow } from "./task-plan.ts"

/** Where the rows of a task stand. */
export type TaskRows =
  | { readonly kind: "rows"; readonly rows: readonly SourceRow["item"][] }
  | { readonly kind: "dataset"; readonly dataset: EvaluationDataset | string }

/** A task as far as it is known before anything is opened. */
export interface TaskShape {
  readonly name: string
  /** Where its results stand, if not under its own name. */
  readonly group?: string
  readonly run: RunParams
  readonly rows: TaskRows
  /** Read beside the rows. */
  readonly otherDatasets: readonly (EvaluationDataset | string)[]
  /** What its rows must have. */
  readonly fields: readonly FieldRead[]
  readonly metrics: readonly MetricDefinition[]
  /** The models that are asked: the target first, then judges. */
  readonly endpoints: readonly ApiEndpoint[]
  readonly openRows: (context: PlanContext) => Promise<RowSource>
  readonly openAsk: (context: PlanContext) => Promise<Ask>
}

/** What the shape of a task is made from. */
export interface TaskToShape {
  readonly target: EvaluationTargetBody
  readonly config: EvaluationConfigBody
  readonly name: string
  readonly task: EvaluationTask
  readonly issues: IssueList
}

/** The shape of a task; undefined where its issues leave none. */
export type ShapeTask = (task: TaskToShape) => TaskShape | undefined
