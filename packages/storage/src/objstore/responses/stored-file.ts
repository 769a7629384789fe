import type { HttpHeaders } from "@assay/http"
import type { FilePath } from "../../file-path.ts"
import { remoteError, type RemoteTarget } from "../../remote/remote-error.ts"
import type { StoredFile } from "../../storage.ts"
import { send } from "../client.ts"
import type { ObjstoreContext } from "../context.ts"
import { refusalError } from "../errors.ts"
import { readRefusal, type Refusal } from "./refusal.ts"

/** Header that stores the digest of a written file. */
export const DIGEST_HEADER = "x-amz-meta-sha256"

/** Describes a file from the headers of an object. */
export function storedFile(path: FilePath, size: number, headers: HttpHeaders): StoredFile {
  const sha256 = headers[DIGEST_HEADER] ?? ""
  return {
    path,
    size,
    etag: strongEtag(headers["etag"]),
    sha256: /^[0-9a-f]{64}$/.test(sha256) ? sha256 : null,
    updatedAt: parseTime(headers["last-modified"]),
  }
}

/**
 * Returns an ETag with quotes, which some stores leave out. Returns null for a weak one, which conditions can't use.
 */
export function strongEtag(text: string | undefined): string | null {
  if (text === undefined || text === "" || text === '""' || text.startsWith("W/")) return null
  return text.startsWith('"') ? text : `"${text}"`
}

/** Parses a time in whole seconds. Listings can be more exact than headers, but both must give the same time. */
export function parseTime(text: string | undefined): number | null {
  const time = Date.parse(text ?? "")
  return Number.isNaN(time) ? null : Math.floor(time / 1000) * 1000
}

interface ObjectHead {
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
  if (status !== 200) throw await explain(store, { key, target, signal }, { status, headers })
  const length = headers["content-length"] ?? ""
  if (!/^\d+$/.test(length))
    throw remoteError("upstream_failed", target, "it gave no size; check the proxies in between.")
  return { size: Number(length), headers }
}

/** Explains an error. A response to HEAD has no body with a reason, but a request for one byte has. */
async function explain(
  store: ObjstoreContext,
  {
    key,
    target,
    signal,
  }: { readonly key: string; readonly target: RemoteTarget; readonly signal?: AbortSignal | undefined },
  head: Pick<Refusal, "status" | "headers">,
): Promise<Error> {
  const answer = await send(store, { method: "GET", key, headers: { range: "bytes=0-0" } }, target, signal)
  const refusal = await readRefusal(answer)
  if (answer.status >= 300) return refusalError(store, refusal, target)
  return refusalError(store, { ...refusal, ...head, code: "", message: "" }, target)
}
