import { AssayError } from "@assay/schemas"

/** What a backend said, as data, for whoever tells conditions apart. */
export interface RemoteFacts {
  readonly status: number
  /** The backend's own code: `X-Error-Code` of a hub, `<Code>` of an object store. */
  readonly said_code?: string
  /** The region in which a bucket is. */
  readonly region?: string
  /** The web page of a repository, on which access is asked for. */
  readonly page?: string
}

/** An error of a remote backend, with what the backend said in its context; what is empty is left out. */
export function withFacts(error: AssayError, facts: RemoteFacts): AssayError {
  const told = Object.fromEntries(Object.entries(facts).filter(([, fact]) => fact !== ""))
  const cause = error.cause === undefined ? {} : { cause: error.cause }
  return new AssayError(error.code, error.message, { context: { ...error.context, ...told }, ...cause })
}
