/** An element with its children in their order. A list is an element for each of its values; undefined is none. */
export type XmlValue = string | number | boolean | XmlFields | readonly XmlValue[] | undefined
export interface XmlFields {
  readonly [name: string]: XmlValue
}

const NAMESPACE = "http://s3.amazonaws.com/doc/2006-03-01/"

const ESCAPES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" }

/** Characters that parsers of XML refuse or change. Paths have none of them, but other texts can. */
// oxlint-disable-next-line no-control-regex -- these are what is replaced
const UNWRITABLE = /[\u0000-\u001f\u007f\ufffe\uffff]/g

function escapeText(text: string): string {
  return text.replaceAll(UNWRITABLE, "\ufffd").replaceAll(/[&<>"]/g, (character) => ESCAPES[character] ?? "")
}

function writeElement(name: string, value: XmlValue): string {
  if (value === undefined) return ""
  if (Array.isArray(value)) return value.map((one) => writeElement(name, one)).join("")
  if (typeof value !== "object") return `<${name}>${escapeText(String(value))}</${name}>`
  return `<${name}>${writeFields(value as XmlFields)}</${name}>`
}

function writeFields(fields: XmlFields): string {
  return Object.entries(fields)
    .map(([name, value]) => writeElement(name, value))
    .join("")
}

const HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'

/** Writes a document whose root has the namespace of S3. */
export function writeXml(root: string, fields: XmlFields | string): string {
  const content = typeof fields === "string" ? escapeText(fields) : writeFields(fields)
  return `${HEAD}<${root} xmlns="${NAMESPACE}">${content}</${root}>`
}

/** Writes an error, whose root has no namespace. */
export function writeXmlError(fields: XmlFields): string {
  return HEAD + writeElement("Error", fields)
}
