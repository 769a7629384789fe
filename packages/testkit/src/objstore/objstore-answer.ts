import type { ObjectContent } from "./object-content.ts"
import { type XmlContent, formatXml } from "./xml.ts"

/** An answer before it is sent. */
export interface ObjstoreAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** A document, or a range of an object's bytes (`end` exclusive). */
  readonly body: string | { readonly content: ObjectContent; readonly start: number; readonly end: number }
}

export function emptyAnswer(status: number, headers: Readonly<Record<string, string>> = {}): ObjstoreAnswer {
  return { status, headers, body: "" }
}

/** Returns a document of S3, with its root element. */
export function xmlAnswer(
  root: string,
  content: XmlContent,
  headers: Readonly<Record<string, string>> = {},
): ObjstoreAnswer {
  return { status: 200, headers: { "content-type": "application/xml", ...headers }, body: formatXml(root, content) }
}

/** A refusal of S3: status, code, message, and sometimes further elements and headers. */
export class ObjstoreError extends Error {
  override readonly name = "ObjstoreError"
  readonly status: number
  readonly code: string
  readonly details: Readonly<Record<string, string>>
  readonly headers: Readonly<Record<string, string>>

  constructor(
    status: number,
    code: string,
    message: string,
    {
      details = {},
      headers = {},
    }: {
      readonly details?: Readonly<Record<string, string>>
      readonly headers?: Readonly<Record<string, string>>
    } = {},
  ) {
    super(message)
    this.status = status
    this.code = code
    this.details = details
    this.headers = headers
  }
}

/** Returns the refusal of a header for an unsupported feature. */
export function notImplemented(header: string): ObjstoreError {
  const message = "A header you provided implies functionality that is not implemented."
  return new ObjstoreError(501, "NotImplemented", message, { details: { Header: header } })
}
