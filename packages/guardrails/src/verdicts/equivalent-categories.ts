import type { JudgeFamily, VerdictCategory } from "@assay/schemas"
import { CATEGORY_TABLES } from "./data/category-tables.ts"
import { HARM_CONCEPTS } from "./data/category-mapping.ts"

/** What another family would call a category; empty where it has nothing near. */
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
