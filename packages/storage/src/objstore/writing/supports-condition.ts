import { isAssayError } from "@assay/schemas"
import { linkAbort, type HttpHeaders } from "@assay/http"
import type { RemoteTarget } from "../../remote/remote-error.ts"
import { send } from "../client.ts"
import type { Part } from "./gather-parts.ts"
import type { ObjstoreContext } from "../context.ts"
import { putObject } from "./put-object.ts"
import { uploadParts } from "./multipart-upload.ts"
import { newMark } from "./find-written.ts"
import type { Condition, WriteKind } from "./known-conditions.ts"

/** Milliseconds allowed for removing the trial object. */
const CLEAN_UP_MS = 10_000

/**
 * Returns whether a store supports a condition for a kind of write. AWS does. Any other store is tried once, because
 * some ignore conditions: a trial write whose condition is false must be refused.
 */
export async function supportsCondition(
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
  // If the trial failed, try again next time.
  trying.catch(() => store.knownConditions.delete(question))
  return trying
}

async function tryCondition(
  store: ObjstoreContext,
  kind: WriteKind,
  condition: Condition,
  target: RemoteTarget,
): Promise<boolean> {
  // No file has a path with a trailing slash, so the trial object is never listed.
  const key = `${store.keyPrefix}.assay-trial-${newMark(store.remote)}/`
  const headers = { [condition]: condition === "if-match" ? '"00000000000000000000000000000000"' : "*" }
  try {
    await putObject(store, key, EMPTY, { target })
    if (kind === "put") await putObject(store, key, EMPTY, { headers, target })
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
