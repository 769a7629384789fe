import { AssayError, type ErrorCode, type StorageType } from "@assay/schemas"

/** The operation, the backend and the path, for messages. */
export interface RemoteTarget {
  readonly storage: StorageType
  /** The bucket, repository or asset, such as `bucket 'data' at https://s3.example`. */
  readonly location: string
  readonly operation: "open" | "stat" | "list" | "read" | "write" | "delete"
  readonly path?: string | undefined
}

/** Creates an error of a remote backend. `what` follows "… bucket 'data'): " in the message and ends with what to do. */
export function remoteError(code: ErrorCode, target: RemoteTarget, what: string, cause?: unknown): AssayError {
  const { storage, location, operation, path } = target
  const object = path === undefined ? "" : ` '${path}'`
  return new AssayError(code, `Could not ${operation}${object} (${storage} storage, ${location}): ${what}`, {
    context: { storage, operation, place: location, ...(path === undefined ? {} : { path }) },
    ...(cause === undefined ? {} : { cause }),
  })
}

/** The response of a backend as data, for code that distinguishes conditions. */
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

const MAX = 300

/**
 * Prepares the error text of a server for a message: one line of at most 300 characters, without the secrets given, and without
 * texts that look like a signature or a signed URL.
 */
export function cleanMessage(text: string, secrets: readonly string[] = []): string {
  let clean = text
  for (const secret of secrets) if (secret.length > 0) clean = clean.replaceAll(secret, "***")
  clean = clean
    .replace(/https?:\/\/\S+\?\S*/g, (address) => `${address.slice(0, address.indexOf("?"))}?***`)
    .replace(/\b(Bearer|Basic|AWS|ApiKey)\s+[\w+/=:.~*-]{8,}/gi, "$1 ***")
    .replace(/\b(signature|credential|token|secret|password|key)\s*[=:]\s*["']?[^\s"'&,;]{8,}/gi, "$1=***")
    // oxlint-disable-next-line no-control-regex -- control characters are what is removed
    .replace(/[\u0000-\u001f\u007f-\u009f\s]+/g, " ")
    .trim()
  return clean.length > MAX ? `${clean.slice(0, MAX)}…` : clean
}
