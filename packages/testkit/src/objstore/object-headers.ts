import { ObjstoreError } from "./objstore-error.ts"
import type { S3Request } from "./s3-request.ts"

const KEPT = new Set(["cache-control", "content-disposition", "content-encoding", "content-language", "expires"])
const MAXIMUM_METADATA = 2048

/** What is kept with an object and sent along with its bytes: content type, its like, and `x-amz-meta-*`. */
export function objectHeaders(headers: S3Request["headers"]): Readonly<Record<string, string>> {
  const metadata = Object.entries(headers).filter(([name]) => name.startsWith("x-amz-meta-"))
  const size = metadata.reduce((sum, [name, value]) => sum + name.length - "x-amz-meta-".length + value.length, 0)
  if (size > MAXIMUM_METADATA) {
    const message = "Your metadata headers exceed the maximum allowed metadata size"
    const details = { Size: String(size), MaxSizeAllowed: String(MAXIMUM_METADATA) }
    throw new ObjstoreError(400, "MetadataTooLarge", message, { details })
  }
  const others = Object.entries(headers).filter(([name]) => KEPT.has(name))
  return {
    "content-type": headers["content-type"] ?? "binary/octet-stream",
    ...Object.fromEntries([...others, ...metadata]),
  }
}
