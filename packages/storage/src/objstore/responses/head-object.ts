import type { HttpHeaders } from "@assay/http"
import { remoteError, type RemoteTarget } from "../../remote/remote-error.ts"
import { send } from "../client.ts"
import { refusalError } from "../errors.ts"
import type { ObjstoreContext } from "../context.ts"
import { readRefusal } from "./refusal.ts"

export interface ObjectHead {
  readonly size: number
  readonly headers: HttpHeaders
}

/** Returns the headers of an object, or undefined if there is none. */
export async function headObject(
  store: ObjstoreContext,
  key: string,
  target: RemoteTarget,
  signal?: AbortSignal,
): Promise<ObjectHead | undefined> {
  const response = await send(store, { method: "HEAD", key }, target, signal)
  const { status, headers, body } = response
  body.destroy()
  if (status === 404) return undefined
  if (status !== 200) throw await explain(store, key, target, response.status, headers, signal)
  const length = headers["content-length"] ?? ""
  if (!/^\d+$/.test(length))
    throw remoteError("upstream_failed", target, "it gave no size; check the proxies in between.")
  return { size: Number(length), headers }
}

/** Explains an error. A response to HEAD has no body with a reason, but a request for one byte has. */
async function explain(
  store: ObjstoreContext,
  key: string,
  target: RemoteTarget,
  status: number,
  headers: HttpHeaders,
  signal?: AbortSignal,
): Promise<Error> {
  const answer = await send(store, { method: "GET", key, headers: { range: "bytes=0-0" } }, target, signal)
  const refusal = await readRefusal(answer)
  if (answer.status >= 300) return refusalError(store, refusal, target)
  return refusalError(store, { ...refusal, status, headers, code: "", message: "" }, target)
}
