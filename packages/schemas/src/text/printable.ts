/** Control characters, line and paragraph separators, and the characters that Unicode lists as controls of bidirectional text. */
const CONTROLS = /[\p{Cc}\u2028\u2029\p{Bidi_Control}]/gu

/** The same without line feed and tab. */
const CONTROLS_IN_TEXT = /[^\P{Cc}\n\t]|[\u2028\u2029\p{Bidi_Control}]/gu

/** Those that JSON does not escape. */
const CONTROLS_IN_JSON = /[\u007F-\u009F\u2028\u2029\p{Bidi_Control}]/gu

/**
 * Shows each control character of one line as `⟨U+202E⟩`, so that text from outside can't move the cursor of a terminal, write the
 * clipboard or reorder the text around it.
 */
export function printable(line: string): string {
  return line.replaceAll(CONTROLS, visibleCharacter)
}

/** Shows the control characters of a text like `printable`, except line feeds and tabs. */
export function printableText(text: string): string {
  return text.replaceAll(CONTROLS_IN_TEXT, visibleCharacter)
}

/** Escapes the control characters that JSON text leaves. The JSON value stays the same. */
export function printableJson(json: string): string {
  return json.replaceAll(CONTROLS_IN_JSON, (character) => `\\u${codeOf(character).padStart(4, "0")}`)
}

/** Returns the visible form of a character that must not act: `⟨U+202E⟩`. */
export function visibleCharacter(character: string): string {
  return `⟨U+${codeOf(character).toUpperCase().padStart(4, "0")}⟩`
}

function codeOf(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(16)
}
