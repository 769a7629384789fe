const ENTITIES: ReadonlyMap<string, string> = new Map([
  ["amp", "&"],
  ["lt", "<"],
  ["gt", ">"],
  ["quot", '"'],
  ["apos", "'"],
])

/** Returns the text of the first element called `name`, or undefined if there is none. */
export function elementText(xml: string, name: string): string | undefined {
  const open = xml.indexOf(`<${name}>`)
  if (open < 0) return undefined
  const start = open + name.length + 2
  const end = xml.indexOf(`</${name}>`, start)
  return end < 0 ? undefined : unescapeXml(xml.slice(start, end))
}

function unescapeXml(text: string): string {
  if (!text.includes("&")) return text
  return text.replace(/&(?:#x([0-9a-f]{1,6})|#([0-9]{1,7})|(\w+));/gi, (whole, hex, decimal, entity) => {
    if (entity !== undefined) return ENTITIES.get(entity) ?? whole
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
    return code > 0x10ffff ? whole : String.fromCodePoint(code)
  })
}

export function escapeXml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
}
