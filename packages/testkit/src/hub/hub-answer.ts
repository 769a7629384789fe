/** An answer before it is sent. */
export interface HubAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

/** The error codes of the hub for what is missing or closed. */
export type HubErrorCode = "RepoNotFound" | "RevisionNotFound" | "EntryNotFound" | "GatedRepo"

export function jsonAnswer(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): HubAnswer {
  return {
    status,
    headers: { "content-type": "application/json; charset=utf-8", ...headers },
    body: Buffer.from(JSON.stringify(body)),
  }
}

/** A refusal: in headers, because HEAD has no body, and in JSON. */
export function errorAnswer(
  status: number,
  message: string,
  { code, headers = {} }: { readonly code?: HubErrorCode; readonly headers?: Readonly<Record<string, string>> } = {},
): HubAnswer {
  return jsonAnswer(
    status,
    { error: message },
    {
      "x-error-message": message,
      ...(code === undefined ? {} : { "x-error-code": code }),
      ...headers,
    },
  )
}

/** A page for people, as a proxy or a login shows. */
export function pageAnswer(status: number): HubAnswer {
  const body = Buffer.from("<!DOCTYPE html><html><head><title>Sign in</title></head><body>Sign in</body></html>\n")
  return { status, headers: { "content-type": "text/html; charset=utf-8" }, body }
}

/** Returns the bytes, or the part that a `Range` header requests (RFC 9110 §14). */
export function rangedAnswer(
  bytes: Buffer,
  range: string | undefined,
  headers: Readonly<Record<string, string>>,
): HubAnswer {
  const size = bytes.byteLength
  const common = { "accept-ranges": "bytes", "content-type": "application/octet-stream", ...headers }
  const [, from = "", to = ""] = /^bytes=(\d*)-(\d*)$/.exec(range ?? "") ?? []
  if (from === "" && to === "") return { status: 200, headers: common, body: bytes }
  const start = from === "" ? Math.max(0, size - Number(to)) : Number(from)
  const end = from === "" || to === "" ? size - 1 : Math.min(Number(to), size - 1)
  if (start > end || (from === "" && Number(to) === 0)) {
    return { status: 416, headers: { ...common, "content-range": `bytes */${size}` }, body: Buffer.alloc(0) }
  }
  const part = { ...common, "content-range": `bytes ${start}-${end}/${size}` }
  return { status: 206, headers: part, body: bytes.subarray(start, end + 1) }
}
