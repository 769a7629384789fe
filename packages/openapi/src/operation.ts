/** The id of an operation in the OpenAPI description, and an example request that works on a new server. */
export interface Operation {
  /** Stable, because client generators make function names from it. */
  readonly id: string
  /** Values of path and query parameters. */
  readonly parameters?: Readonly<Record<string, string | number | boolean>>
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON; a string is sent unchanged. */
  readonly body?: unknown
  /**
   * False: nothing is stored, although the method is not GET. Such requests leave no audit record. True: they leave one, although the method
   * is GET.
   */
  readonly writes?: boolean
  /** Names an object that must exist first and has another id each time, such as a running job. */
  readonly needs?: string
}

/** Operations by method and path. In this order, each example finds what it needs. */
export type Operations = Readonly<Record<string, Operation>>

/** The endpoint of the models of `npm run fake-endpoint`. */
export const EXAMPLE_ENDPOINT = "http://127.0.0.1:9000/v1"
export const EXAMPLE_JOB = "eval-3QJmnh8Y1kGqvS4cQKFJ2b"
export const EXAMPLE_UPLOAD = "upload-7Xo2cPqZ5TtYh3nRw8KdLm"
