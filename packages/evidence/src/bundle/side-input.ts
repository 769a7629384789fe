import type {
  Condition,
  DatasetPin,
  EvaluationConfigBody,
  EvaluationResult,
  EvaluationTargetBody,
  JobStatus,
  LabelRow,
} from "@assay/schemas"

/** The results of a job, as they are stored. */
export interface SideInput {
  /** As messages call it. */
  readonly name: string
  readonly job: {
    readonly id: string
    readonly namespace: string
    readonly target: EvaluationTargetBody
    readonly config: EvaluationConfigBody
    readonly status: JobStatus
    readonly conditions: readonly Condition[]
    readonly pins: readonly DatasetPin[]
    /** The gates that the results were compared with. Absent: an older version wrote the results. */
    readonly gates?: unknown
    /** The units of each task. Absent: an older version wrote the results. */
    readonly units?: Readonly<Record<string, number | null>> | undefined
  }
  readonly result: EvaluationResult
  /** Versions and platform of the program that wrote the results. */
  readonly environment: Readonly<Record<string, unknown>>
  /** The labels that its metrics name, as they are now. Absent: they are out of reach, or there are none. */
  readonly labels?: readonly {
    readonly reference: string
    readonly name: string
    readonly rows: readonly LabelRow[]
  }[]
  /** Streams `rows.jsonl` from its start. */
  readonly rows: (signal?: AbortSignal) => AsyncIterable<Buffer>
}

export type SideRole = "candidate" | "baseline" | "reference"

/** Results with their part in a bundle. */
export interface SideOfBundle extends SideInput {
  readonly role: SideRole
}
