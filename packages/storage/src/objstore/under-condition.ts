import { isAssayError } from "@assay/schemas"
import { unlessAborted, type HttpHeaders } from "@assay/http"
import { remoteError, type RemoteTarget } from "../remote/remote-error.ts"
import type { WriteOptions } from "../storage.ts"
import { headObject } from "./head-object.ts"
import type { ObjstoreContext } from "./objstore-context.ts"
import { strongEtag } from "./stored-file.ts"
import { takesCondition, type WriteKind } from "./takes-condition.ts"
import { conditionsUnsupported } from "./write-error.ts"

export interface ConditionalWrite {
  readonly key: string
  readonly kind: WriteKind
  readonly options: WriteOptions
  readonly target: RemoteTarget
}

/** How often a write to whatever file is there is tried while others replace that file. */
const TURNS = 5

/** Writes with the headers that bind it to the conditions of `options`; without conditions there are none. */
export async function underCondition<T>(
  store: ObjstoreContext,
  conditional: ConditionalWrite,
  write: (headers: HttpHeaders) => Promise<T>,
): Promise<T> {
  const { ifMatch, ifNoneMatch } = conditional.options
  if (ifMatch === undefined && ifNoneMatch === undefined) return write({})
  await checkSupport(store, conditional)
  for (let turn = 1; ; turn++) {
    // S3 takes no `*` in If-Match: it becomes the ETag of what is there.
    const etag = ifMatch === "*" ? await etagThere(store, conditional) : ifMatch
    const headers = {
      ...(etag === undefined ? {} : { "if-match": etag }),
      ...(ifNoneMatch === undefined ? {} : { "if-none-match": ifNoneMatch }),
    }
    try {
      return await write(headers)
    } catch (error) {
      const isReplaced = ifMatch === "*" && isAssayError(error, "precondition_failed")
      if (!isReplaced || turn === TURNS) throw error
    }
  }
}

/** Whether the condition holds now, so that a large upload need not end to be refused. */
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
    throw unmet(target, "it is there already")
  }
}

async function etagThere(store: ObjstoreContext, { key, options, target }: ConditionalWrite): Promise<string> {
  const head = await headObject(store, key, target, options.signal)
  if (head === undefined) throw unmet(target, "it is not there")
  const etag = strongEtag(head.headers["etag"])
  if (etag === null) throw conditionsUnsupported(target)
  return etag
}

async function checkSupport(store: ObjstoreContext, { kind, options, target }: ConditionalWrite): Promise<void> {
  const { ifMatch, ifNoneMatch, signal } = options
  const asked = [
    ...(ifMatch === undefined ? [] : [takesCondition(store, kind, "if-match", target)]),
    ...(ifNoneMatch === undefined ? [] : [takesCondition(store, kind, "if-none-match", target)]),
  ]
  // Others may wait for the same trial.
  const answers = await unlessAborted(Promise.all(asked), signal)
  if (answers.includes(false)) throw conditionsUnsupported(target)
}

function unmet(target: RemoteTarget, why: string): Error {
  return remoteError("precondition_failed", target, `${why}. Read its current ETag and decide again.`)
}
