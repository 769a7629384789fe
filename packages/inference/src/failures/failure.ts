import type { INFERENCE_ERRORS } from "@assay/schemas"

export type InferenceErrorCode = keyof typeof INFERENCE_ERRORS

/** Why a call failed. */
export interface Failure {
  readonly code: InferenceErrorCode
  /** What happened, as the first half of a sentence. */
  readonly reason: string
  /** What to do, as the second half. */
  readonly advice: string
  /** What the code calls for, as it goes into the error's context. */
  readonly facts?: Readonly<Record<string, unknown>>
}

/** All that is known of a call that failed. Texts in it are free of secrets. */
export interface FailureRecord {
  readonly url: string
  readonly protocol: "http:" | "https:"
  /** Host and port. */
  readonly host: string
  readonly model: string
  readonly hasKey: boolean
  /** How it broke below HTTP, or undefined where an answer was read to its end. */
  readonly broke: unknown
  /** The limit that was over, in milliseconds. */
  readonly timedOutMs: number | null
  /** Null where no answer began. */
  readonly status: number | null
  readonly headers: Readonly<Record<string, string>>
  /** The first 4 KiB. */
  readonly body: string
}
