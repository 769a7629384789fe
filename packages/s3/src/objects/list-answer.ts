import type { StoredFile } from "@assay/storage"
import { s3Etag } from "../s3-etag.ts"
import { encodeStrictly } from "../signature/canonical-request.ts"
import { writeXml } from "../xml/write-xml.ts"
import type { ObjectPage } from "./list-objects.ts"
import { formatToken, type ListRequest } from "./list-query.ts"

/** Returns a function that writes names: percent-encoded, with slashes as they are, if the client asked for it. */
export function nameWriter(isEncoded: boolean): (name: string) => string {
  return (name) => (isEncoded ? encodeStrictly(name).replaceAll("%2F", "/") : name)
}

/** Writes a time as S3 does. The time of a file that its backend does not know is the start of 1970. */
export function formatTime(milliseconds: number | null): string {
  return new Date(milliseconds ?? 0).toISOString()
}

/** Writes the response of ListObjects or ListObjectsV2. */
export function writeObjectList(bucket: string, request: ListRequest, { files, groups, next }: ObjectPage): string {
  const { version, prefix, delimiter, limit, isEncoded, sent } = request
  const write = nameWriter(isEncoded)
  const isTruncated = next !== undefined
  const position =
    version === 1
      ? { Marker: write(sent.marker), NextMarker: next === undefined ? undefined : write(next) }
      : {
          KeyCount: files.length + groups.length,
          ContinuationToken: sent.token,
          StartAfter: sent.startAfter === undefined ? undefined : write(sent.startAfter),
          NextContinuationToken: next === undefined ? undefined : formatToken(next),
        }
  return writeXml("ListBucketResult", {
    Name: bucket,
    Prefix: write(prefix),
    ...position,
    MaxKeys: limit,
    Delimiter: delimiter === "" ? undefined : write(delimiter),
    IsTruncated: isTruncated,
    EncodingType: isEncoded ? "url" : undefined,
    Contents: files.map((file) => contentOf(file, write)),
    CommonPrefixes: groups.map((group) => ({ Prefix: write(group) })),
  })
}

function contentOf({ path, size, etag, updatedAt }: StoredFile, write: (name: string) => string) {
  return {
    Key: write(path),
    LastModified: formatTime(updatedAt),
    ETag: s3Etag(etag) ?? undefined,
    Size: size,
    StorageClass: "STANDARD",
  }
}
