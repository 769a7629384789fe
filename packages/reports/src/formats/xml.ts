/**
 * Control characters and halves of pairs, most of which XML 1.0 has no way to write, and the controls that turn the
 * direction of text around.
 */
const UNWRITABLE = /[^\P{Cc}\n\r\t]|[\p{Cs}\uFFFE\uFFFF\u2028\u2029\u202A-\u202E\u2066-\u2069]/gu
const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "\n": "&#10;",
  "\r": "&#13;",
  "\t": "&#9;",
}

/** A text as XML 1.0 can hold it, in attributes and between elements; what it has no way to write becomes U+FFFD. */
export function xml(text: string): string {
  return text.replace(UNWRITABLE, "\uFFFD").replace(/[&<>"\n\r\t]/g, (sign) => ENTITIES[sign] ?? sign)
}
