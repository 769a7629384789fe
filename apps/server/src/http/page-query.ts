import { Type } from "@sinclair/typebox"

/** Query parameters of a paged list. */
export function pageQuery(defaultSize: number, maxSize: number) {
  return Type.Object({
    page: Type.Integer({ minimum: 1, maximum: 1_000_000_000, default: 1, description: "Page number." }),
    page_size: Type.Integer({ minimum: 1, maximum: maxSize, default: defaultSize, description: "Page size." }),
  })
}
