import { checkNamespace, type DocumentQuery, type Documents } from "@assay/registry"
import { AssayError, DOCUMENT_LISTING, parseListingQuery } from "@assay/schemas"
import { compileCheck } from "@assay/validation"
import type { TSchema } from "@sinclair/typebox"
import type { DocumentAddress, DocumentBody, DocumentItem } from "../documents/document-body.ts"
import type { EvaluationDocuments } from "../documents/evaluation-documents.ts"
import type { JobCaller } from "./job-caller.ts"
import type { JobHost } from "../launch/job-host.ts"
import type { Listed, Listing } from "./list-jobs.ts"

/** Stored targets or configurations, with the rights of the caller of a request. */
export interface CallerDocuments<Body extends DocumentBody> extends Pick<EvaluationDocuments<Body>, "get" | "remove"> {
  /** Stores a body in the workspace that it names, by default in the workspace `default`. */
  create(body: Body, caller: JobCaller): Promise<DocumentItem<Body>>
  list(listing: Listing, caller: JobCaller): Promise<Listed<DocumentItem<Body>>>
  update(
    address: DocumentAddress,
    changes: Readonly<Record<string, unknown>>,
    caller: JobCaller,
  ): Promise<DocumentItem<Body>>
}

export interface CallerDocumentsContext<Body extends DocumentBody> extends JobHost {
  readonly documents: Documents<Body>
  /** The schema of a body. */
  readonly schema: TSchema
}

const DEFAULT_WORKSPACE = "default"

/** Creates the operations. The code behind them is loaded with the first of them. */
export function createCallerDocuments<Body extends DocumentBody>({
  schema,
  ...context
}: CallerDocumentsContext<Body>): CallerDocuments<Body> {
  const checkBody = checkOf(schema)
  const open = async () => {
    const { createEvaluationDocuments } = await import("../documents/evaluation-documents.ts")
    return createEvaluationDocuments({ ...context, checkBody })
  }
  return {
    create: async (body, caller) => {
      const workspace = await checkCallerWorkspace(context.registry, body, caller)
      return (await open()).create(workspace, body, caller.rights)
    },
    async list({ parameters, ...page }, { visible, checkRole }) {
      const { query: where, ...echoed } = parseListingQuery(parameters, DOCUMENT_LISTING)
      const { namespace: workspace } = where.equals
      if (workspace !== undefined) checkRole(workspace, "viewer")
      const query: DocumentQuery = { ...page, where }
      return { object: "list", ...(await (await open()).list(query, visible)), sort: page.sort, ...echoed }
    },
    get: async (address) => (await open()).get(address),
    update: async (address, changes, { rights }) => (await open()).update(address, changes, rights),
    remove: async (address) => (await open()).remove(address),
  }
}

/** Returns the workspace of a body, by default `default`. @throws if it does not exist, or if the caller is not an editor in it */
export async function checkCallerWorkspace(
  registry: JobHost["registry"],
  { namespace: workspace = DEFAULT_WORKSPACE }: { readonly namespace?: string },
  { checkRole }: JobCaller,
): Promise<string> {
  checkRole(workspace, "editor")
  await checkNamespace(registry, workspace)
  return workspace
}

/** Returns a check of changed bodies. @throws `invalid_request`, from the check */
function checkOf(schema: TSchema): (body: unknown) => void {
  const check = compileCheck(schema)
  return (body) => {
    const checked = check(body)
    if (checked.valid) return
    const issues = checked.issues.map((issue) => ({ ...issue, loc: ["body", ...issue.loc] }))
    const [first] = issues
    throw new AssayError("invalid_request", `${first?.loc.join(".")}: ${first?.msg}`, { issues })
  }
}
