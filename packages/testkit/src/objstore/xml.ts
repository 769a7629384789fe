/** The content of an element: text, elements by name, or several elements of one name. */
export type XmlContent = string | number | boolean | readonly XmlContent[] | { readonly [name: string]: XmlContent }

const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'
const NAMESPACE = "http://s3.amazonaws.com/doc/2006-03-01/"

/** Formats a document with a root in the namespace of S3. */
export function formatXml(root: string, content: XmlContent): string {
  return `${DECLARATION}<${root} xmlns="${NAMESPACE}">${formatContent(content)}</${root}>`
}

/** Formats the document of an error, which has no namespace. */
export function formatErrorXml(content: Readonly<Record<string, string>>): string {
  return `${DECLARATION}<Error>${formatContent(content)}</Error>`
}

/** Returns the content of each element called `name`, in order. */
export function elements(xml: string, name: string): readonly string[] {
  return Array.from(xml.matchAll(new RegExp(`<${name}(?:\\s[^>]*)?>(.*?)</${name}>`, "gs")), ([, inner = ""]) => inner)
}

/** Returns the text of the first element called `name`. */
export function elementText(xml: string, name: string): string | undefined {
  return elements(xml, name)[0]?.replace(/&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi, (whole, hex, decimal, entity) => {
    if (hex !== undefined) return String.fromCodePoint(Number.parseInt(hex, 16))
    if (decimal !== undefined) return String.fromCodePoint(Number(decimal))
    return ENTITIES[entity] ?? whole
  })
}

const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" }

function formatContent(content: XmlContent): string {
  if (typeof content !== "object") return escapeText(String(content))
  if (isList(content)) return content.map(formatContent).join("")
  return Object.entries(content)
    .flatMap(([name, inner]) =>
      (isList(inner) ? inner : [inner]).map((one) => `<${name}>${formatContent(one)}</${name}>`),
    )
    .join("")
}

function isList(content: XmlContent): content is readonly XmlContent[] {
  return Array.isArray(content)
}

function escapeText(text: string): string {
  return text.replace(/[&<>"]|(?![\n\t])\p{Cc}/gu, (sign) => {
    const named = Object.entries(ENTITIES).find(([, character]) => character === sign)
    return named === undefined ? `&#x${sign.charCodeAt(0).toString(16)};` : `&${named[0]};`
  })
}

/** Formats a time for listings, in whole seconds as S3 does. */
export function formatTime(milliseconds: number): string {
  return `${new Date(milliseconds).toISOString().slice(0, 19)}.000Z`
}
