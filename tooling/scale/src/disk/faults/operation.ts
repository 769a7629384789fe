/** A response of the server, read whole. Status 0: the connection ended without one. */
export interface Answer {
  readonly status: number
  readonly text: string
  readonly json: unknown
  readonly headers: Headers
}

export interface RequestOptions {
  readonly json?: object
  readonly body?: string | Uint8Array<ArrayBuffer>
  readonly headers?: Readonly<Record<string, string>>
}

/** Sends a request with the token of an administrator. */
export type Send = (method: string, path: string, options?: RequestOptions) => Promise<Answer>

/** What all cases of a run share. */
export interface Surroundings {
  readonly send: Send
  /** An ended job with rows, of which the reads and labels are. */
  readonly job: string
  readonly otherJob: string
}

/** One try of an operation, on records of its own. */
export interface Trial {
  /** Runs the operation, once. */
  run(): Promise<Answer>
  /** Reads everything that the operation may change. */
  read(): Promise<unknown>
}

/** An operation that is tried once for each call that it makes. */
export interface Operation {
  readonly name: string
  /** Makes the records of a try. `id` is part of their names. */
  prepare(around: Surroundings, id: string): Promise<Trial>
}

/** Returns a part of an answer that says what the server holds. */
export const seen = ({ status, text }: Answer): unknown => [status, text]
