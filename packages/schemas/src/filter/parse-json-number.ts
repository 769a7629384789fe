const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

/** The number that `text` writes in JSON; undefined where it writes none, or one beyond the range of doubles. */
export function parseJsonNumber(text: string): number | undefined {
  if (!JSON_NUMBER.test(text)) return undefined
  const value = Number(text)
  // There is one zero: `-0` is written and compared as 0.
  return Number.isFinite(value) ? value + 0 : undefined
}
