import { createHash } from "node:crypto"
import type { HttpHeaders } from "@assay/http"
import type { RemoteTarget } from "../../remote/remote-error.ts"
import { remoteRetryDelay } from "../../remote/send-with-retry.ts"
import { send } from "../client.ts"
import { readRefusal } from "../responses/refusal.ts"
import { writeError } from "../errors.ts"
import type { ObjstoreContext } from "../context.ts"

const MAX_ATTEMPTS = 4

export interface ObjectBody {
  readonly bytes: Uint8Array
  /** Lower-case hex. */
  readonly sha256: string
}

export interface PutOptions {
  /** Headers besides those of the body. */
  readonly headers?: HttpHeaders
  readonly target: RemoteTarget
  readonly signal?: AbortSignal
}

export interface PutResult {
  readonly headers: HttpHeaders
  /** MD5 of the sent bytes, lower-case hex. */
  readonly md5: string
}

/**
 * Puts an object in one request. The store verifies the bytes with the MD5 and, if the signature is version 4, with the
 * SHA-256.
 * @throws `precondition_failed` and `unsupported` if `headers` contain a condition
 */
export async function putObject(
  store: ObjstoreContext,
  key: string,
  { bytes, sha256 }: ObjectBody,
  { headers = {}, target, signal }: PutOptions,
): Promise<PutResult> {
  const md5 = createHash("md5").update(bytes).digest()
  const request = {
    method: "PUT",
    key,
    body: bytes,
    headers: {
      "content-type": "application/octet-stream",
      "content-md5": md5.toString("base64"),
      ...(store.signatureVersion === "v4" && { "x-amz-content-sha256": sha256 }),
      ...headers,
    },
  } as const
  for (let attempt = 1; ; attempt++) {
    const response = await send(store, request, target, signal)
    if (response.status === 200) {
      response.body.destroy()
      return { headers: response.headers, md5: md5.toString("hex") }
    }
    const refusal = await readRefusal(response)
    // Another write is in progress. Only its end decides which of the two meets the condition.
    const isUndecided = refusal.code === "ConditionalRequestConflict" && attempt < MAX_ATTEMPTS
    if (!isUndecided) throw writeError(store, refusal, headers, target)
    await store.remote.sleep(remoteRetryDelay(attempt - 1, store.remote.random), signal)
  }
}
