import type { MultipartUpload, UploadedPart } from "./buckets.ts"
import { ObjstoreError } from "./objstore-error.ts"
import { elements, elementText } from "./xml.ts"

/** The parts that the document of a completion lists: in ascending order, with their ETags, none but the last too small. */
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
