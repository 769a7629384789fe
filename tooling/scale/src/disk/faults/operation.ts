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

/** The parts that all cases of a run share. */
export interface Surroundings {
  readonly send: Send
  /** The folder whose calls are watched. It is also the data folder of the server. */
  readonly folder: string
  /** Runs a command, whose calls are watched too. */
  readonly assay: (args: readonly string[]) => Promise<Answer>
  /** Starts a server on another data folder. Its calls are not watched. */
  readonly startOther: (dataFolder: string) => Promise<{ readonly send: Send; stop(): Promise<void> }>
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
  /** The result of `read` after each success. Default: not checked. */
  readonly wanted?: unknown
}

/** An operation that is tried once for each call that it makes. */
export interface Operation {
  readonly name: string
  /** Makes the records of a try. `id` is part of their names. */
  prepare(around: Surroundings, id: string): Promise<Trial>
}

/** Returns a part of an answer that says what the server holds. */
export const seen = ({ status, text }: Answer): unknown => [status, text]
