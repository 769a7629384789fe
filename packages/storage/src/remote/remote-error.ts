import { AssayError, type ErrorCode, type StorageType } from "@assay/schemas"

/** The operation, the backend and the path, for messages. */
export interface RemoteTarget {
  readonly storage: StorageType
  /** The bucket, repository or asset, such as `bucket 'data' at https://s3.example`. */
  readonly place: string
  readonly operation: "open" | "stat" | "list" | "read" | "write" | "delete"
  readonly path?: string | undefined
}

/** Creates an error of a remote backend. `what` follows "… bucket 'data'): " in the message and ends with what to do. */
export function remoteError(code: ErrorCode, target: RemoteTarget, what: string, cause?: unknown): AssayError {
  const { storage, place, operation, path } = target
  const object = path === undefined ? "" : ` '${path}'`
  return new AssayError(code, `Could not ${operation}${object} (${storage} storage, ${place}): ${what}`, {
    context: { storage, operation, place, ...(path === undefined ? {} : { path }) },
    ...(cause === undefined ? {} : { cause }),
  })
}

/** The response of a backend as data, for code that tells conditions apart. */
export interface RemoteFacts {
  readonly status: number
  /** The backend's own code: `X-Error-Code` of a hub, `<Code>` of an object store. */
  readonly said_code?: string
  /** The region of a bucket. */
  readonly region?: string
  /** The web page of a repository on which access is requested. */
  readonly page?: string
}

/** Returns the error with the facts in its context; empty facts are left out. */
export function withFacts(error: AssayError, facts: RemoteFacts): AssayError {
  const given = Object.fromEntries(Object.entries(facts).filter(([, fact]) => fact !== ""))
  const cause = error.cause === undefined ? {} : { cause: error.cause }
  return new AssayError(error.code, error.message, { context: { ...error.context, ...given }, ...cause })
}
