import { createHash } from "node:crypto"

/** An answer before it is sent. */
export interface CatalogAnswer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  /** Bytes, or an object that is sent as JSON. */
  readonly body: Uint8Array | object
}

/** The document of a refusal or an error. `statusCode` is derived from the status by default. */
export function refusal(status: number, description: string, statusCode = CODES[status] ?? "UNKNOWN"): CatalogAnswer {
  return {
    status,
    body: { requestStatus: { statusCode, statusDescription: description, requestId: "00000000-fake-0000" } },
  }
}

export function success(body: object): CatalogAnswer {
  return { status: 200, body: { ...body, requestStatus: { statusCode: "SUCCESS", requestId: "00000000-fake-0000" } } }
}

/** A file with support for ranges. */
export function fileAnswer(path: string, bytes: Uint8Array): CatalogAnswer {
  const type = path.endsWith(".json") ? "application/json" : "application/octet-stream"
  const etag = `"${createHash("md5").update(bytes).digest("hex")}"`
  return { status: 200, headers: { "content-type": type, "accept-ranges": "bytes", etag }, body: bytes }
}

const CODES: Readonly<Record<number, string>> = {
  400: "INVALID_REQUEST",
  401: "UNAUTHORIZED",
  403: "FORBIDDEN",
  404: "NOT_FOUND",
  412: "PRECONDITION_FAILED",
  429: "TOO_MANY_REQUESTS",
  500: "INTERNAL_ERROR",
  503: "SERVICE_UNAVAILABLE",
}
