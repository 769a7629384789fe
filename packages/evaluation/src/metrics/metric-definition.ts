import type { ApiEndpoint, MetricConfig } from "@assay/schemas"
import type { JobEnvironment } from "../job-environment.ts"
import type { FieldRead } from "../templates/row-template.ts"
import type { PlanContext } from "../plan/task-shape.ts"
import type { CallLimits } from "../models/run-params.ts"
import type { BoundMetric } from "../plan/task-plan.ts"
import type { ReferenceTexts } from "./texts/reference-texts.ts"

/** What a metric is made from. */
export interface MetricSetup {
  /** Its key in the task. */
  readonly key: string
  readonly type: string
  readonly params: NonNullable<MetricConfig["params"]>
  /** Where its parameters stand, for messages: `tasks.qa.metrics.accuracy.params`. */
  readonly name: string
  /** What an answer is compared with where the parameters name nothing. */
  readonly references?: ReferenceTexts
  /** Time limit and tries of its task, for metrics that ask. */
  readonly run: CallLimits
}

/** A metric that is known to be well-formed. Nothing is opened before it is bound. */
export interface MetricDefinition {
  readonly key: string
  readonly type: string
  readonly scores: readonly string[]
  /** What it needs of the rows. */
  readonly fields: readonly FieldRead[]
  /** Parameters that were given or looked for: what is given and never looked for has no effect. */
  readonly params?: { readonly given: readonly string[]; readonly read: readonly string[] }
  /** Whether it needs the text of an answer. */
  readonly readsOutput: boolean
  /** The models that it asks. */
  readonly endpoints: readonly ApiEndpoint[]
  /** Checks at a launch what takes longer than to read its parameters. @throws what is wrong with them */
  readonly check?: (environment: JobEnvironment, signal: AbortSignal) => Promise<void>
  readonly bind: (context: PlanContext) => Promise<BoundMetric>
}

/** @throws `invalid_request` and `template_error` that name the parameter */
export type DefineMetric = (setup: MetricSetup) => MetricDefinition
