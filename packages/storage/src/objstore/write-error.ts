import type { AssayError } from "@assay/schemas"
import type { HttpHeaders } from "@assay/http"
import { remoteError, type RemoteTarget } from "../remote/remote-error.ts"
import { refusalError } from "./errors.ts"
import type { ObjstoreContext } from "./objstore-context.ts"
import type { Refusal } from "./refusal.ts"

/** The error that the refusal of a write is, which `headers` may have bound to a condition. */
export function writeError(
  store: ObjstoreContext,
  refusal: Refusal,
  headers: HttpHeaders,
  target: RemoteTarget,
): AssayError {
  const match = headers["if-match"]
  if (match === undefined && headers["if-none-match"] === undefined) return refusalError(store, refusal, target)
  if (refusal.status === 501 || refusal.code === "NotImplemented") return conditionsUnsupported(target)
  // There is nothing to match.
  if (refusal.code === "NoSuchKey") return refusalError(store, { ...refusal, code: "PreconditionFailed" }, target)
  return refusalError(store, refusal, target)
}

export function conditionsUnsupported(target: RemoteTarget): AssayError {
  const what =
    "the store can't bind a write to a condition; nothing was written. Leave If-Match and If-None-Match out, or use another store."
  return remoteError("unsupported", target, what)
}
