import type { EvaluationConfigBody, EvaluationTargetBody } from "@assay/schemas"

/** What `assay eval run` and `assay eval launch` read: a launch, and what the command line does with its results. */
export interface EvaluationFile {
  readonly namespace?: string
  /** Written here, or `namespace/name` of one that a server keeps. */
  readonly target: string | EvaluationTargetBody
  readonly config: string | EvaluationConfigBody
  readonly description?: string
  readonly project?: string
  readonly custom_fields?: Record<string, unknown>
  /** A folder of this machine, relative to the file, or an `output_files_url` of the server. */
  readonly output?: string
  /** Limits such as `task.metric.score >= 0.8`, joined to those of the command line. */
  readonly gates?: readonly string[]
}

/** A file that was read, and what its paths are relative to. */
export interface OpenedEvaluationFile {
  /** As the command line names it. */
  readonly name: string
  /** Absolute; the working folder for stdin. */
  readonly folder: string
  /** Absolute; undefined for stdin. */
  readonly path: string | undefined
  readonly content: EvaluationFile
}
