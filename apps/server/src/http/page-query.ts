import { enumeration, RECORD_SORTS } from "@assay/schemas"
import { Type } from "@sinclair/typebox"

/** Query parameters of a paged list. */
export function pageQuery(defaultSize: number, maxSize: number) {
  return Type.Object({
    page: Type.Integer({ minimum: 1, maximum: 1_000_000_000, default: 1, description: "Page number." }),
    page_size: Type.Integer({ minimum: 1, maximum: maxSize, default: defaultSize, description: "Page size." }),
  })
}

/** Query parameters of a list of records that can be sorted. */
export const RecordsQuery = Type.Intersect([
  pageQuery(100, 1000),
  Type.Object({
    sort: enumeration(RECORD_SORTS, { default: "name", description: "A leading `-` means descending." }),
  }),
])
