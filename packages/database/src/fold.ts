import { canonicalNumber, isExactNumber } from "@assay/json"

/** Returns the form of a text for `$like`: Unicode lower case, which differs between databases. */
export function fold(text: string): string {
  return text.toLowerCase()
}

/** Returns a map with folded texts, one form of each number, and unchanged keys. Null if folding changes nothing. */
export function foldJson(map: object): object | null {
  let isChanged = false
  const foldValue = (value: unknown): unknown => {
    if (typeof value === "string") {
      const folded = fold(value)
      isChanged ||= folded !== value
      return folded
    }
    if (isExactNumber(value)) {
      isChanged = true
      return canonicalNumber(value)
    }
    if (Array.isArray(value)) return value.map(foldValue)
    return typeof value === "object" && value !== null ? foldMap(value) : value
  }
  const foldMap = (map: object) =>
    Object.fromEntries(Object.entries(map).map(([key, value]) => [key, foldValue(value)]))
  const folded = foldMap(map)
  return isChanged ? folded : null
}
