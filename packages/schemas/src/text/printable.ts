/** C0 and C1 controls, DEL, the line and paragraph separators, and the controls that turn the direction of text around. */
const CONTROLS = /\p{Cc}|[\u2028\u2029\u202A-\u202E\u2066-\u2069]/gu

/** The same without the line feed and the tab. */
const CONTROLS_IN_TEXT = /[^\P{Cc}\n\t]|[\u2028\u2029\u202A-\u202E\u2066-\u2069]/gu

/** What JSON leaves as it is of them. */
const CONTROLS_IN_JSON = /[\u007F-\u009F\u2028\u2029\u202A-\u202E\u2066-\u2069]/g

/** Shows the control characters of one line as escapes: text from outside must not move the cursor or write the clipboard. */
export function printable(line: string): string {
  return line.replaceAll(CONTROLS, shown)
}

/** Does the same for text of several lines, which keeps its line feeds and tabs. */
export function printableText(text: string): string {
  return text.replaceAll(CONTROLS_IN_TEXT, shown)
}

/** Escapes what JSON text leaves of control characters. The value stays the same. */
export function printableJson(json: string): string {
  return json.replaceAll(CONTROLS_IN_JSON, (character) => `\\u${codeOf(character).padStart(4, "0")}`)
}

function shown(character: string): string {
  return `\\u{${codeOf(character)}}`
}

function codeOf(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(16)
}
