import { unlessAborted, type HttpHeaders } from "@assay/http"
import { isAssayError } from "@assay/schemas"
import { remoteError, type RemoteTarget } from "../../remote/remote-error.ts"
import type { WriteOptions } from "../../storage.ts"
import type { ObjstoreContext } from "../context.ts"
import { conditionsUnsupported } from "../errors.ts"
import { headObject, strongEtag } from "../responses/stored-file.ts"
import type { WriteKind } from "./known-conditions.ts"
import { supportsCondition } from "./supports-condition.ts"

export interface ConditionalWrite {
  readonly key: string
  readonly kind: WriteKind
  readonly options: WriteOptions
  readonly target: RemoteTarget
}

/** Maximum number of attempts to write with `If-Match: *` while others replace the file. */
const MAX_ATTEMPTS = 5

/** Calls `write` with the headers for the conditions in `options`, or with none. */
export async function withConditions<T>(
  store: ObjstoreContext,
  conditional: ConditionalWrite,
  write: (headers: HttpHeaders) => Promise<T>,
): Promise<T> {
  const { ifMatch, ifNoneMatch } = conditional.options
  if (ifMatch === undefined && ifNoneMatch === undefined) return write({})
  await checkSupport(store, conditional)
  for (let attempt = 1; ; attempt++) {
    // S3 does not support `If-Match: *`. Send the ETag of the current file.
    const etag = ifMatch === "*" ? await etagThere(store, conditional) : ifMatch
    const headers = {
      ...(etag === undefined ? {} : { "if-match": etag }),
      ...(ifNoneMatch === undefined ? {} : { "if-none-match": ifNoneMatch }),
    }
    try {
      return await write(headers)
    } catch (error) {
      const isReplaced = ifMatch === "*" && isAssayError(error, "precondition_failed")
      if (!isReplaced || attempt === MAX_ATTEMPTS) throw error
    }
  }
}

/** Checks the condition now, so that a large upload is refused early. */
export async function checkCondition(store: ObjstoreContext, conditional: ConditionalWrite): Promise<void> {
  const { key, options, target } = conditional
  const { ifMatch, ifNoneMatch, signal } = options
  if (ifMatch === undefined && ifNoneMatch === undefined) return
  await checkSupport(store, conditional)
  if (ifMatch !== undefined) {
    const etag = await etagThere(store, conditional)
    if (ifMatch !== "*" && ifMatch !== etag) throw unmet(target, `its ETag is ${etag}, not ${ifMatch}`)
  }
  if (ifNoneMatch !== undefined && (await headObject(store, key, target, signal)) !== undefined) {
    throw unmet(target, "it already exists")
  }
}

async function etagThere(store: ObjstoreContext, { key, options, target }: ConditionalWrite): Promise<string> {
  const head = await headObject(store, key, target, options.signal)
  if (head === undefined) throw unmet(target, "it does not exist")
  const etag = strongEtag(head.headers["etag"])
  if (etag === null) throw conditionsUnsupported(target)
  return etag
}

async function checkSupport(store: ObjstoreContext, { kind, options, target }: ConditionalWrite): Promise<void> {
  const { ifMatch, ifNoneMatch, signal } = options
  const asked = [
    ...(ifMatch === undefined ? [] : [supportsCondition(store, kind, "if-match", target)]),
    ...(ifNoneMatch === undefined ? [] : [supportsCondition(store, kind, "if-none-match", target)]),
  ]
  // Other writes may wait for the same trial.
  const answers = await unlessAborted(Promise.all(asked), signal)
  if (answers.includes(false)) throw conditionsUnsupported(target)
}

function unmet(target: RemoteTarget, why: string): Error {
  return remoteError("precondition_failed", target, `${why}. Read its current ETag and decide again.`)
}
