/** C0 and C1 control characters, DEL, line and paragraph separators, and controls of bidirectional text. */
const CONTROLS = /\p{Cc}|[\u2028\u2029\u202A-\u202E\u2066-\u2069]/gu

/** The same without line feed and tab. */
const CONTROLS_IN_TEXT = /[^\P{Cc}\n\t]|[\u2028\u2029\u202A-\u202E\u2066-\u2069]/gu

/** Those that JSON does not escape. */
const CONTROLS_IN_JSON = /[\u007F-\u009F\u2028\u2029\u202A-\u202E\u2066-\u2069]/g

/** Escapes the control characters of one line, so that text from outside can't move the cursor or write to the clipboard. */
export function printable(line: string): string {
  return line.replaceAll(CONTROLS, shown)
}

/** Escapes the control characters of a text, except line feeds and tabs. */
export function printableText(text: string): string {
  return text.replaceAll(CONTROLS_IN_TEXT, shown)
}

/** Escapes the control characters that JSON text leaves. The JSON value stays the same. */
export function printableJson(json: string): string {
  return json.replaceAll(CONTROLS_IN_JSON, (character) => `\\u${codeOf(character).padStart(4, "0")}`)
}

function shown(character: string): string {
  return `\\u{${codeOf(character)}}`
}

function codeOf(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(16)
}
