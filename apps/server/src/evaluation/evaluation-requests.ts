import type { JobCaller } from "@assay/jobs/service"
import { enumeration, LISTING_SORTS, readEvaluationBody, type ListingSort } from "@assay/schemas"
import { Type } from "@sinclair/typebox"
import type { FastifyReply, FastifyRequest } from "fastify"
import { roleIn, type Caller, requireRole, visibleWorkspaces, secretRightsOf } from "@assay/access"
import { callerOf } from "../auth/access.ts"
import { pageQuery, queryPairs } from "../http/route-schemas.ts"

/** Query parameters of a listing. Filters and searches have their fields in brackets. */
export const ListingParameters = Type.Intersect([
  pageQuery(10, 1000),
  Type.Object({
    sort: enumeration(LISTING_SORTS, { default: "-created_at", description: "A leading `-` means descending." }),
    filter: Type.Optional(
      Type.String({
        description:
          "Fields with their values, in brackets: `filter[status]=completed`, `filter[created_at][gte]=2026-11-20`.",
      }),
    ),
    search: Type.Optional(
      Type.String({ description: "Fields with a part of their text, in brackets: `search[config]=benchmark`." }),
    ),
  }),
])

/** Returns the listing in a validated query. */
export function listingOf({ query }: FastifyRequest) {
  const { page, page_size, sort } = query as { page: number; page_size: number; sort: ListingSort }
  return { page, page_size, sort, parameters: queryPairs(query as Readonly<Record<string, unknown>>) }
}

export const JobParameters = Type.Object({ id: Type.String() })

/** Returns a hook that converts a body from the forms of the first version before it is validated. */
export function readBodyForms(defaultInferenceUrl: string | undefined) {
  return (request: FastifyRequest, _reply: FastifyReply, done: (error?: Error) => void) => {
    request.body = readEvaluationBody(request.body, {
      url: defaultInferenceUrl,
      setting: "ASSAY_DEFAULT_INFERENCE_URL",
    })
    done()
  }
}

/** Returns the rights of a caller for evaluation jobs. */
export function jobCaller(caller: Caller): JobCaller {
  const edits = secretRightsOf(caller)
  const workspaces = new Set(caller.grants.map(({ workspace }) => workspace))
  return {
    rights: { sees: (workspace) => roleIn(caller, workspace) !== undefined, edits },
    grants: edits("*") ? "all" : [...workspaces].filter(edits).toSorted(),
    visible: visibleWorkspaces(caller),
    checkRole: (workspace, role) => requireRole(caller, workspace, role),
  }
}

/** Returns the rights of the sender of `request`. */
export function jobCallerOf(request: FastifyRequest): JobCaller {
  return jobCaller(callerOf(request))
}
