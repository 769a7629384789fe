import type { HubAnswer } from "./hub-answer.ts"

/** Bytes, or the one part of them that a `Range` header asks for (RFC 9110 §14). */
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
