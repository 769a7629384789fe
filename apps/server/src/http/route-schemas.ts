import { enumeration, ErrorBody, RECORD_SORTS, ValidationErrorBody } from "@assay/schemas"
import { Type } from "@sinclair/typebox"

/** The answers that any operation can give besides its own. */
export const errorResponses = {
  422: ValidationErrorBody,
  "4xx": ErrorBody,
  "5xx": ErrorBody,
} as const

/** Path parameters. Loose on purpose: a name that can't exist is answered like one that does not. */
export const WorkspaceParameters = Type.Object({ ws: Type.String() })
export const NamedParameters = Type.Object({ ws: Type.String(), name: Type.String() })
/** `*` is the path as the router decodes it; the routes read it from the address itself. */
export const FileParameters = Type.Object({
  ws: Type.String(),
  name: Type.String(),
  "*": Type.String({ description: "Path of the file within the fileset; slashes as they are or as %2F." }),
})
export const UploadParameters = Type.Object({ ws: Type.String(), name: Type.String(), id: Type.String() })

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

/** The query parameters that make up a filter, as decoded pairs in the order in which they came. */
export function filterParameters(query: Readonly<Record<string, unknown>>): (readonly [string, string])[] {
  return Object.entries(query)
    .filter(([key]) => key === "filter" || key.startsWith("filter["))
    .flatMap(([key, value]) => (Array.isArray(value) ? value : [value]).map((item) => [key, String(item)] as const))
}
