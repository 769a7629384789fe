import type { ObjectContent } from "./object-content.ts"
import { formatXml, type XmlContent } from "./xml.ts"

/** An answer before it is sent. */
export interface ObjstoreAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** A document, or a stretch of an object's bytes (`end` exclusive). */
  readonly body: string | { readonly content: ObjectContent; readonly start: number; readonly end: number }
}

export function emptyAnswer(status: number, headers: Readonly<Record<string, string>> = {}): ObjstoreAnswer {
  return { status, headers, body: "" }
}

/** A document of S3, with its root element. */
export function xmlAnswer(
  root: string,
  content: XmlContent,
  headers: Readonly<Record<string, string>> = {},
): ObjstoreAnswer {
  return { status: 200, headers: { "content-type": "application/xml", ...headers }, body: formatXml(root, content) }
}
