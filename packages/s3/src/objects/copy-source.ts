import { type BucketFileset, parseBucketName } from "../bucket-name.ts"
import { s3Error } from "../s3-error.ts"
import { decodePart } from "../signature/canonical-request.ts"
import { noVersions } from "./read-documents.ts"

/** The file that a copy reads. */
export interface CopySource extends BucketFileset {
  /** Not parsed yet. */
  readonly path: string
}

/** Parses x-amz-copy-source: `bucket/key`, percent-encoded, with or without a slash before it. @throws `InvalidArgument`, `NoSuchBucket`, `NotImplemented` */
export function parseCopySource(header: string): CopySource {
  const [address = "", query] = header.replace(/^\//, "").split("?", 2)
  if (query !== undefined && query !== "versionId=null") throw noVersions()
  const text = decodePart(address)
  const slash = text.indexOf("/")
  if (slash < 1 || slash === text.length - 1) {
    throw s3Error("InvalidArgument", "x-amz-copy-source is written bucket/key, percent-encoded.")
  }
  return { ...parseBucketName(text.slice(0, slash)), path: text.slice(slash + 1) }
}

const RANGE = /^bytes=(\d{1,15})-(\d{1,15})$/

/** Parses x-amz-copy-source-range: first and last byte, both included. @throws `InvalidArgument` */
export function parseCopyRange(header: string): {
  readonly kind: "from"
  readonly start: number
  readonly end: number
} {
  const [, first, last] = RANGE.exec(header.trim()) ?? []
  const [start, end] = [Number(first), Number(last)]
  if (start <= end) return { kind: "from", start, end }
  throw s3Error("InvalidArgument", "x-amz-copy-source-range is written bytes=first-last.")
}
