import { s3Error } from "../s3-error.ts"

/** An element of a document. Attributes and namespaces are left out. */
export interface XmlElement {
  readonly name: string
  readonly children: readonly XmlElement[]
  /** The text directly in the element. */
  readonly text: string
}

/** Documents of S3 have three levels. */
const MAX_DEPTH = 8
/** 10,000 parts of an upload have fewer. */
const MAX_ELEMENTS = 100_000

const DECLARATION = /^\s*<\?xml(?:\s[^<>?]*)?\?>/
/** A tag, or text. Attributes are skipped: a value is in quotes and has no `<`. */
const TOKEN =
  /<(\/?)(?:[A-Za-z_][\w.-]*:)?([A-Za-z_][\w.-]*)((?:\s+[A-Za-z_:][\w:.-]*\s*=\s*(?:"[^"<]*"|'[^'<]*')){0,8})\s*(\/?)>|[^<]+/y
const REFERENCE = /&(#x[0-9a-fA-F]{1,6}|#\d{1,7}|\w{1,8});/y

const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" }

interface OpenElement {
  readonly name: string
  readonly children: XmlElement[]
  text: string
}

/**
 * Reads a document that consists of elements and text. Nothing is ever expanded: document types, processing instructions, comments, CDATA
 * and entities other than the five of XML are refused. Takes time linear in the length of `text`, which the caller limits.
 * @throws `MalformedXML`
 */
export function readXml(text: string): XmlElement {
  const root: OpenElement = { name: "", children: [], text: "" }
  const open = [root]
  let count = 0
  let at = DECLARATION.exec(text)?.[0].length ?? (text.startsWith("\ufeff") ? 1 : 0)
  while (at < text.length) {
    TOKEN.lastIndex = at
    const token = TOKEN.exec(text)
    if (token === null) throw malformed(`at character ${at + 1}`)
    at = TOKEN.lastIndex
    const [all, closing, name, , isEmpty] = token
    const current = open.at(-1) ?? root
    count += 1
    if (count > 3 * MAX_ELEMENTS) throw malformed(`it has more than ${MAX_ELEMENTS} elements`)
    if (name === undefined) current.text += unescape(all)
    else if (closing === "/") close(open, name)
    else if (isEmpty === "/") current.children.push({ name, children: [], text: "" })
    else {
      if (open.length > MAX_DEPTH) throw malformed(`it is deeper than ${MAX_DEPTH} levels`)
      open.push({ name, children: [], text: "" })
    }
  }
  const [document, ...others] = root.children
  if (open.length > 1) throw malformed(`<${open.at(-1)?.name ?? ""}> is not closed`)
  if (document === undefined || others.length > 0 || root.text.trim() !== "") throw malformed("it needs one root")
  return document
}

function close(open: OpenElement[], name: string): void {
  const closed = open.length > 1 ? open.pop() : undefined
  if (closed?.name !== name) throw malformed(`</${name.slice(0, 50)}> closes another element`)
  open.at(-1)?.children.push(closed)
}

function unescape(text: string): string {
  let result = ""
  let at = 0
  for (let next = text.indexOf("&"); next >= 0; next = text.indexOf("&", at)) {
    REFERENCE.lastIndex = next
    const [all, name] = REFERENCE.exec(text) ?? []
    if (all === undefined || name === undefined) throw malformed("an & must be written &amp;")
    result += text.slice(at, next) + characterOf(name)
    at = next + all.length
  }
  return result + text.slice(at)
}

function characterOf(name: string): string {
  const known = ENTITIES[name]
  if (known !== undefined) return known
  const code = name.startsWith("#x") ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1))
  const isCharacter = name.startsWith("#") && code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff)
  if (!isCharacter) throw malformed(`the entity &${name}; is not known`)
  return String.fromCodePoint(code)
}

function malformed(reason: string) {
  return s3Error("MalformedXML", `The XML of the body can't be read: ${reason}. Send the elements that S3 describes.`)
}

/** Returns the text of a child; undefined if there is none. @throws `MalformedXML` if there are two */
export function childText({ children }: XmlElement, name: string): string | undefined {
  const found = children.filter((child) => child.name === name)
  if (found.length > 1) throw malformed(`<${name}> occurs twice`)
  return found[0]?.text
}
