import { isAssayError } from "@assay/schemas"
import { linkAbort, type HttpHeaders } from "@assay/http"
import type { RemoteTarget } from "../remote/remote-error.ts"
import { send } from "./client.ts"
import type { Part } from "./gather-parts.ts"
import type { ObjstoreContext } from "./objstore-context.ts"
import { putObject } from "./put-object.ts"
import { uploadParts } from "./upload-parts.ts"
import { newMark } from "./write-mark.ts"

/** How a write happens: in one request, or in parts. Some stores know conditions for the first alone. */
export type WriteKind = "put" | "upload"
export type Condition = "if-match" | "if-none-match"

/** What was found out about stores: whether a bucket takes a condition with a write of that kind. */
export type KnownConditions = Map<string, Promise<boolean>>

/** Milliseconds that removing the trial may take. */
const CLEAN_UP_MS = 10_000

/**
 * Whether a store binds a write of that kind to that condition. The cloud's own does. Any other is tried once, since some
 * overlook conditions: under one that does not hold, a write over a key of no use has to be refused.
 */
export async function takesCondition(
  store: ObjstoreContext,
  kind: WriteKind,
  condition: Condition,
  target: RemoteTarget,
): Promise<boolean> {
  if (!store.hasOwnEndpoint) return true
  const question = JSON.stringify([store.address.origin, store.address.path, kind, condition])
  const known = store.knownConditions.get(question)
  if (known !== undefined) return known
  const trying = tryCondition(store, kind, condition, target)
  store.knownConditions.set(question, trying)
  // What could not be found out now is tried again next time.
  trying.catch(() => store.knownConditions.delete(question))
  return trying
}

async function tryCondition(
  store: ObjstoreContext,
  kind: WriteKind,
  condition: Condition,
  target: RemoteTarget,
): Promise<boolean> {
  // A slash at its end: no file has such a path, so it is never listed.
  const key = `${store.keyPrefix}.assay-trial-${newMark(store.remote)}/`
  const headers = { [condition]: condition === "if-match" ? '"00000000000000000000000000000000"' : "*" }
  try {
    await putObject(store, key, EMPTY, {}, target)
    if (kind === "put") await putObject(store, key, EMPTY, headers, target)
    else await uploadTrial(store, key, headers, target)
    return false
  } catch (error) {
    if (isAssayError(error, "precondition_failed")) return true
    if (isAssayError(error, "unsupported")) return false
    throw error
  } finally {
    const removing = send(store, { method: "DELETE", key }, target, AbortSignal.timeout(CLEAN_UP_MS))
    await removing.then(({ body }) => body.destroy()).catch(() => {})
  }
}

const EMPTY = {
  bytes: new Uint8Array(),
  sha256: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
}

async function uploadTrial(
  store: ObjstoreContext,
  key: string,
  headers: HttpHeaders,
  target: RemoteTarget,
): Promise<void> {
  const ended = linkAbort(undefined)
  await uploadParts(store, key, onePart(), {
    headers: {},
    target,
    ended,
    complete: (upload, etags) => upload.complete(etags, headers, { signal: ended.signal }),
  })
}

async function* onePart(): AsyncGenerator<Part, void> {
  yield { number: 1, bytes: Buffer.from("x"), isLast: true, release: () => {} }
}
