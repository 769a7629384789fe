import { s3Error } from "../s3-error.ts"
import { childText, readXml } from "../xml/read-xml.ts"

/** Maximum number of keys of one DeleteObjects. */
const MAX_KEYS = 1000
/** Maximum number of parts of an upload, and the largest number of a part. */
const MAX_PARTS = 10_000

/** The body of DeleteObjects. */
export interface DeletionDocument {
  /** `etag`: the file is deleted only if it has this one. */
  readonly objects: readonly { readonly key: string; readonly etag: string | undefined }[]
  /** Whether the response names failures only. */
  readonly isQuiet: boolean
}

/** Reads the body of DeleteObjects. @throws `MalformedXML`; `NotImplemented` for versions of objects, and for conditions other than an ETag */
export function readDeletion(text: string): DeletionDocument {
  const root = readXml(text)
  const elements = root.children.filter(({ name }) => name === "Object")
  if (root.name !== "Delete" || elements.length === 0 || elements.length > MAX_KEYS) {
    throw s3Error(
      "MalformedXML",
      `The body is a <Delete> with 1 to ${MAX_KEYS} elements <Object><Key>; it has ${elements.length}.`,
    )
  }
  const objects = elements.map((element) => {
    const key = childText(element, "Key")
    const version = childText(element, "VersionId")
    if (key === undefined) throw s3Error("MalformedXML", "An <Object> has no <Key>.")
    if (version !== undefined && version !== "null") throw noVersions()
    const other = ["Size", "LastModifiedTime"].find((name) => childText(element, name) !== undefined)
    if (other !== undefined) {
      throw s3Error("NotImplemented", `The condition <${other}> of an <Object> is not implemented; use <ETag>.`)
    }
    return { key, etag: childText(element, "ETag")?.trim() }
  })
  return { objects, isQuiet: childText(root, "Quiet")?.trim() === "true" }
}

export function noVersions() {
  return s3Error("NotImplemented", "Versions of objects (VersionId) are not implemented: a file has one version.")
}

/** A part that CompleteMultipartUpload names. */
export interface NamedPart {
  readonly number: number
  readonly etag: string
}

/** Reads the body of CompleteMultipartUpload. @throws `MalformedXML`, `InvalidPartOrder` */
export function readCompletion(text: string): readonly NamedPart[] {
  const root = readXml(text)
  const elements = root.children.filter(({ name }) => name === "Part")
  if (root.name !== "CompleteMultipartUpload" || elements.length === 0 || elements.length > MAX_PARTS) {
    throw s3Error(
      "MalformedXML",
      `The body is a <CompleteMultipartUpload> with 1 to ${MAX_PARTS} elements <Part>; it has ${elements.length}.`,
    )
  }
  const parts = elements.map((element) => {
    const number = parsePartNumber(childText(element, "PartNumber")?.trim() ?? "")
    const etag = childText(element, "ETag")?.trim()
    if (etag === undefined) throw s3Error("MalformedXML", `<Part> ${number} has no <ETag>.`)
    return { number, etag }
  })
  if (parts.some(({ number }, at) => at > 0 && number <= (parts[at - 1]?.number ?? 0))) {
    throw s3Error("InvalidPartOrder", "The parts must be in the order of their numbers, each once.")
  }
  return parts
}

/** Parses the number of a part, 1 to 10,000. @throws `InvalidArgument` */
export function parsePartNumber(text: string): number {
  if (/^[1-9]\d{0,4}$/.test(text) && Number(text) <= MAX_PARTS) return Number(text)
  throw s3Error("InvalidArgument", `The part number '${text.slice(0, 50)}' is not a number from 1 to ${MAX_PARTS}.`)
}
