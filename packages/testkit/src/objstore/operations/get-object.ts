import { createHash } from "node:crypto"
import { type MultipartUpload, type StoredObject, type UploadedPart, findObject } from "../buckets.ts"
import { checkReadConditions } from "./conditions.ts"
import type { Operation } from "../exchange.ts"
import { generatedContent } from "../object-content.ts"
import { ObjstoreError, emptyAnswer } from "../objstore-answer.ts"
import { elementText, elements } from "../xml.ts"

/** `GetObject` and `HeadObject`. They differ only in the body, which is omitted when the answer is sent. */
export const getObject: Operation = ({ request: { key, headers }, bucket, faults }) => {
  const another = faults("other-version")
  const stored = findObject(bucket, key)
  const object = another === undefined ? stored : otherVersion(stored)
  const conditions = another?.ignoreIfMatch === true ? { ...headers, "if-match": "*" } : headers
  const answered = {
    "last-modified": new Date(object.modified).toUTCString(),
    etag: object.etag,
    "accept-ranges": "bytes",
  }
  if (checkReadConditions(conditions, object) === "not-modified") return emptyAnswer(304, answered)
  const { content } = object
  const range = faults("ignore-range") === undefined ? parseRange(headers["range"], content.size) : undefined
  const { start, end } = range ?? { start: 0, end: content.size }
  return {
    status: range === undefined ? 200 : 206,
    headers: {
      ...object.headers,
      ...answered,
      "content-length": String(end - start),
      ...(range !== undefined && { "content-range": `bytes ${start}-${end - 1}/${content.size}` }),
    },
    body: { content, start, end },
  }
}

function otherVersion(object: StoredObject): StoredObject {
  const etag = `"${createHash("md5").update(object.etag).digest("hex")}"`
  return { ...object, etag, content: generatedContent({ size: object.content.size, seed: -1 }) }
}

/** From `start` up to `end`, exclusive. */
interface ByteRange {
  readonly start: number
  readonly end: number
}

/**
 * Reads a Range header for an object of `size` bytes. Undefined, which means all of it, for several ranges and for what is
 * no range of bytes; `InvalidRange` for one that has no byte of the object.
 */
function parseRange(header: string | undefined, size: number): ByteRange | undefined {
  const [, first = "", last = ""] = /^bytes=(\d*)-(\d*)$/.exec(header ?? "") ?? []
  if (header === undefined || (first === "" && last === "")) return undefined
  if (first !== "" && last !== "" && Number(last) < Number(first)) return undefined
  const start = first === "" ? Math.max(0, size - Number(last)) : Number(first)
  const end = first === "" || last === "" ? size : Math.min(size, Number(last) + 1)
  if (start < end) return { start, end }
  throw new ObjstoreError(416, "InvalidRange", "The requested range is not satisfiable", {
    details: { RangeRequested: header, ActualObjectSize: String(size) },
    headers: { "content-range": `bytes */${size}` },
  })
}

/** Returns the parts in the document of a completion. They must be in ascending order, with their ETags, and only the last may be small. */
export function requestedParts(
  document: string,
  { id, parts }: MultipartUpload,
  minimumSize: number,
): readonly UploadedPart[] {
  const listed = elements(document, "Part").map((part) => {
    const etag = elementText(part, "ETag")?.replaceAll('"', "")
    return { number: Number(elementText(part, "PartNumber")), etag: `"${etag}"` }
  })
  if (listed.length === 0 || listed.some(({ number }) => !Number.isInteger(number))) {
    const message = "The XML you provided was not well-formed or did not validate against our published schema"
    throw new ObjstoreError(400, "MalformedXML", message)
  }
  if (listed.some(({ number }, index) => number <= (listed[index - 1]?.number ?? 0))) {
    const message = "The list of parts was not in ascending order. Parts must be ordered by part number."
    throw new ObjstoreError(400, "InvalidPartOrder", message, { details: { UploadId: id } })
  }
  return listed.map(({ number, etag }, index) => {
    const part = parts.get(number)
    const details = { UploadId: id, PartNumber: String(number), ETag: etag.slice(1, -1) }
    if (part?.etag !== etag) {
      const message =
        "One or more of the specified parts could not be found. The part may not have been uploaded, or the specified entity tag may not match the part's entity tag."
      throw new ObjstoreError(400, "InvalidPart", message, { details })
    }
    if (part.content.size < minimumSize && index < listed.length - 1) {
      const sizes = { ProposedSize: String(part.content.size), MinSizeAllowed: String(minimumSize) }
      const message = "Your proposed upload is smaller than the minimum allowed size"
      throw new ObjstoreError(400, "EntityTooSmall", message, { details: { ...sizes, ...details } })
    }
    return part
  })
}
