import { type ApiEndpoint, type ErrorCode, type EvaluationConfigBody, type EvaluationDataset, type EvaluationTargetBody, type EvaluationTask, isAssayError } from "@assay/schemas"
import type { JobEnvironment, OpenedDataset } from "../job-environment.ts"
import type { MetricDefinition } from "../metrics/metric-definition.ts"
import type { ModelPool } from "../models/model-pool.ts"
import type { RunParams } from "../models/run-params.ts"
import type { FieldRead } from "../templates/row-template.ts"
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

/** What is wrong with a target and a configuration before anything is opened. */
export interface PlanIssue {
  /** Of the task; null where it is the whole. */
  readonly task: string | null
  readonly code: ErrorCode
  readonly message: string
}

/** Collects issues of one place, so that all of them are told together. */
export interface IssueList {
  readonly add: (message: string, code?: ErrorCode) => void
  /** What `make` gives; undefined where it throws, which becomes an issue. */
  readonly attempt: <Value>(make: () => Value) => Value | undefined
}

export function issueList(task: string | null, issues: PlanIssue[]): IssueList {
  const add = (message: string, code: ErrorCode = "invalid_request") => issues.push({ task, code, message })
  return {
    add,
    attempt(make) {
      try {
        return make()
      } catch (error) {
        if (!isAssayError(error)) throw error
        add(error.message, error.code)
        return undefined
      }
    },
  }
}

/** What a plan is opened with. */
export interface PlanContext {
  readonly environment: JobEnvironment
  /** The clients of all endpoints of the job. */
  readonly models: ModelPool
  /** Opens a dataset once, however many tasks read it, and keeps its pin. @throws `dataset_format` without a `files_url`; as the world's */
  readonly openDataset: (dataset: EvaluationDataset | string) => Promise<OpenedDataset>
  /** Closed with the plan, last first. */
  readonly onClose: (close: () => Promise<void>) => void
  readonly signal: AbortSignal
}
