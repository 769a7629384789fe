import { enumeration, ErrorBody, numberField, RECORD_SORTS, ValidationErrorBody } from "@assay/schemas"
import { Type, type TSchema } from "@sinclair/typebox"

/** Responses that every operation can have besides its own. */
export const errorResponses = {
  422: ValidationErrorBody,
  "4xx": ErrorBody,
  "5xx": ErrorBody,
} as const

/** Returns the responses of an operation that returns `body` with 200. */
export const ok = <Body extends TSchema>(body: Body) => ({ 200: body, ...errorResponses })

/** Returns the responses of an operation that returns `body` with 201. */
export const created = <Body extends TSchema>(body: Body) => ({ 201: body, ...errorResponses })

/** Path parameters. Any text is accepted: an invalid name gets the same 404 as an unknown one. */
export const WorkspaceParameters = Type.Object({ ws: Type.String() })
export const NamedParameters = Type.Object({ ws: Type.String(), name: Type.String() })
/** `*` is the path as the router decodes it. The routes read the path from the raw URL instead (`pathTextOf`). */
export const FileParameters = Type.Object({
  ws: Type.String(),
  name: Type.String(),
  "*": Type.String({ description: "Path of the file within the fileset; slashes as they are or as %2F." }),
})
export const UploadParameters = Type.Object({ ws: Type.String(), name: Type.String(), id: Type.String() })

/** Returns the query parameters of a paged list. */
export function pageQuery(defaultSize: number, maxSize: number) {
  return Type.Object({
    page: numberField("page", { default: 1, description: "Page number." }),
    page_size: Type.Integer({ minimum: 1, maximum: maxSize, default: defaultSize, description: "Page size." }),
  })
}

/** Query parameters of a sortable list of records. */
export const RecordsQuery = Type.Intersect([
  pageQuery(100, 1000),
  Type.Object({
    sort: enumeration(RECORD_SORTS, { default: "name", description: "A leading `-` means descending." }),
  }),
])

/** The query parameter of a filter. The parser of filters reads its forms, and checks it. */
export const FilterQuery = Type.Object({
  filter: Type.Optional(
    Type.Union([Type.String(), Type.Array(Type.String())], {
      description: 'Brackets (`filter[name][$like]=a`), JSON (`{"name":{"$like":"a"}}`) or text (`name~"a"`).',
    }),
  ),
})

/** Returns the query parameters as decoded pairs in their original order. A repeated parameter becomes several pairs. */
export function queryPairs(query: Readonly<Record<string, unknown>>): (readonly [string, string])[] {
  return Object.entries(query).flatMap(([key, value]) =>
    (Array.isArray(value) ? value : [value]).map((item) => [key, String(item)] as const),
  )
}

/** Returns the query parameters of a filter, as decoded pairs. */
export function filterParameters(query: Readonly<Record<string, unknown>>): (readonly [string, string])[] {
  return queryPairs(query).filter(([key]) => key === "filter" || key.startsWith("filter["))
}
