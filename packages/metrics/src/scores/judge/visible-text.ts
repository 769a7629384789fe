const INVISIBLE = /[\u200B\u200E\u200F\u2060\uFEFF]/g

/** Removes invisible characters. Joiners remain, because words of some scripts need them. */
export function visibleText(text: string): string {
  return text.replace(INVISIBLE, "")
}
