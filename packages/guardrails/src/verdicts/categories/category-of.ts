import type { JudgeFamily, VerdictCategory } from "@assay/schemas"
import { CATEGORY_TABLES, HARM_CONCEPTS } from "../data/categories.ts"

const CODED = /^([SO]\d{1,2})(?![\p{L}\p{N}])(?:\s{0,5}[:.)–—-]\s{0,5}(.{1,120}))?/iu

/**
 * Returns a category as written, with its code and its name in the family. A written name has precedence over the name in the
 * table.
 */
export function categoryOf(raw: string, family: JudgeFamily): VerdictCategory {
  const table = CATEGORY_TABLES[family]
  const match = CODED.exec(raw)
  if (match !== null) {
    const code = (match[1] ?? "").toUpperCase()
    const name = match[2]?.trim() ?? (Object.hasOwn(table, code) ? table[code] : undefined)
    return name === undefined ? { raw, code, family } : { raw, code, name, family }
  }
  const lower = raw.toLowerCase()
  const entry = Object.entries(table).find(
    ([code, name]) => lower === name.toLowerCase() || lower === code.toLowerCase(),
  )
  return entry === undefined ? { raw, family } : { raw, code: entry[0], name: entry[1], family }
}

/** Returns the categories of another family that mean nearly the same. Empty: there are none. */
export function equivalentCategories(category: VerdictCategory, family: JudgeFamily): readonly VerdictCategory[] {
  const own = category.code ?? category.name ?? category.raw
  const codes = HARM_CONCEPTS.filter(({ codes }) => codes[category.family]?.includes(own)).flatMap(
    ({ codes }) => codes[family] ?? [],
  )
  return [...new Set(codes)].map((code) => {
    const name = CATEGORY_TABLES[family][code]
    return { raw: code, code, ...(name === undefined ? {} : { name }), family }
  })
}
