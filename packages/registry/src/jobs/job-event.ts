export type JobEventKind = "progress" | "log" | "condition" | "status"

/** Something that happened in a job. */
export interface NewJobEvent {
  readonly kind: JobEventKind
  readonly data: object
}

export interface JobEvent extends NewJobEvent {
  /** From 1, without gaps at its end: what is seen once with a number is never followed by a smaller one. */
  readonly seq: number
  readonly created_at: string
}
