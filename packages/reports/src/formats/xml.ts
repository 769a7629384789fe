/**
 * Control characters and lone surrogates, most of which XML 1.0 can't represent, and the controls that change the
 * direction of text.
 */
const FORBIDDEN = /[^\P{Cc}\n\r\t]|[\p{Cs}\uFFFE\uFFFF\u2028\u2029\u202A-\u202E\u2066-\u2069]/gu
const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "\n": "&#10;",
  "\r": "&#13;",
  "\t": "&#9;",
}

/** Escapes a text for XML 1.0, in attributes and between elements. Characters that XML can't represent become U+FFFD. */
export function xml(text: string): string {
  return text.replace(FORBIDDEN, "\uFFFD").replace(/[&<>"\n\r\t]/g, (sign) => ENTITIES[sign] ?? sign)
}
