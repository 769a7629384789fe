import { findUpload } from "../buckets.ts"
import type { Operation } from "../exchange.ts"
import { encoder, pageLimit } from "./list-objects.ts"
import { formatTime } from "../xml.ts"
import { xmlAnswer } from "../objstore-answer.ts"
import { parameter } from "../s3-request.ts"

/** `ListMultipartUploads`: by key, and among uploads of the same key by id. */
export const listUploads: Operation = ({ request, bucket }) => {
  const prefix = parameter(request, "prefix") ?? ""
  const keyMarker = parameter(request, "key-marker") ?? ""
  const idMarker = parameter(request, "upload-id-marker") ?? ""
  const limit = pageLimit(request, "max-uploads")
  const encode = encoder(request)
  const following = [...bucket.uploads.values()]
    .filter(({ key }) => key.startsWith(prefix))
    .toSorted((a, b) => Buffer.compare(Buffer.from(a.key), Buffer.from(b.key)) || (a.id < b.id ? -1 : 1))
    .filter(({ key, id }) => {
      const order = Buffer.compare(Buffer.from(key), Buffer.from(keyMarker))
      return order > 0 || (order === 0 && idMarker !== "" && id > idMarker)
    })
  const page = following.slice(0, limit)
  const last = following.length > limit ? page.at(-1) : undefined
  return xmlAnswer("ListMultipartUploadsResult", {
    Bucket: bucket.name,
    KeyMarker: encode(keyMarker),
    UploadIdMarker: idMarker,
    Prefix: encode(prefix),
    ...(last !== undefined && { NextKeyMarker: encode(last.key), NextUploadIdMarker: last.id }),
    MaxUploads: limit,
    ...(parameter(request, "encoding-type") === "url" && { EncodingType: "url" }),
    IsTruncated: last !== undefined,
    Upload: page.map(({ key, id, started }) => ({
      Key: encode(key),
      UploadId: id,
      StorageClass: "STANDARD",
      Initiated: formatTime(started),
    })),
  })
}

/** `ListParts`: the received parts of one upload, by number. */
export const listParts: Operation = ({ request, bucket }) => {
  const upload = findUpload(bucket, request.key, parameter(request, "uploadId") ?? "")
  const marker = Number(parameter(request, "part-number-marker") ?? 0)
  const limit = pageLimit(request, "max-parts")
  const following = [...upload.parts].filter(([number]) => number > marker).toSorted(([a], [b]) => a - b)
  const page = following.slice(0, limit)
  return xmlAnswer("ListPartsResult", {
    Bucket: bucket.name,
    Key: encoder(request)(upload.key),
    UploadId: upload.id,
    StorageClass: "STANDARD",
    PartNumberMarker: marker,
    NextPartNumberMarker: page.at(-1)?.[0] ?? 0,
    MaxParts: limit,
    IsTruncated: following.length > limit,
    Part: page.map(([PartNumber, { content, etag, modified }]) => {
      return { PartNumber, LastModified: formatTime(modified), ETag: etag, Size: content.size }
    }),
  })
}
