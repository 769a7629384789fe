import { enumeration, LISTING_SORTS } from "@assay/schemas"
import { Type } from "@sinclair/typebox"
import { pageQuery } from "../../http/route-schemas.ts"

/** Query parameters of a listing, besides its filters and searches, which come in brackets. */
export const ListingParameters = Type.Intersect([
  pageQuery(10, 1000),
  Type.Object({
    sort: enumeration(LISTING_SORTS, { default: "-created_at", description: "A leading `-` means descending." }),
    filter: Type.Optional(
      Type.String({ description: "In brackets: `filter[status]=completed`, `filter[created_at][gte]=2026-11-20`." }),
    ),
    search: Type.Optional(Type.String({ description: "Parts of texts, in brackets: `search[config]=benchmark`." })),
  }),
])

/** The query parameters as decoded pairs; one that came several times is several pairs. */
export function queryPairs(query: Readonly<Record<string, unknown>>): (readonly [string, string])[] {
  return Object.entries(query).flatMap(([key, value]) =>
    (Array.isArray(value) ? value : [value]).map((item) => [key, String(item)] as const),
  )
}
