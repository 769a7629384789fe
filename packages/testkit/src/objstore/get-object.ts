import { createHash } from "node:crypto"
import { findObject, type StoredObject } from "./buckets.ts"
import { parseRange } from "./byte-range.ts"
import { checkReadConditions } from "./conditions.ts"
import type { Operation } from "./exchange.ts"
import { generatedContent } from "./object-content.ts"
import { emptyAnswer } from "./objstore-answer.ts"

/** `GetObject` and `HeadObject`: they differ in the body alone, which is left away where the answer is sent. */
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
