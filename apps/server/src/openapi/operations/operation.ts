/** How an operation is called in the description of the interface, and one request that a new server answers. */
export interface Operation {
  /** Stable: generators of clients make names of functions of it. */
  readonly id: string
  /** Values of path and query parameters. */
  readonly parameters?: Readonly<Record<string, string | number | boolean>>
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON; a text as it is. */
  readonly body?: unknown
  /** Names the object that must exist first and has another id each time, such as a job that is running. */
  readonly needs?: string
}

/** Operations by method and path. Examples stand in an order in which each finds what it needs. */
export type Operations = Readonly<Record<string, Operation>>

/** Where `npm run fake-endpoint` answers as a model. */
export const EXAMPLE_ENDPOINT = "http://127.0.0.1:9000/v1"
export const EXAMPLE_JOB = "eval-3QJmnh8Y1kGqvS4cQKFJ2b"
export const EXAMPLE_UPLOAD = "upload-7Xo2cPqZ5TtYh3nRw8KdLm"
