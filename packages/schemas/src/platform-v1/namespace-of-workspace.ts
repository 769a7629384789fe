import type { Static } from "@sinclair/typebox"
import { invalidRequest } from "../errors/assay-error.ts"
import { parseListingQuery, WORKSPACE_LISTING } from "../evaluation/listing-query.ts"
import type { Workspace } from "../workspaces/workspace.ts"
import type { DataStoreNamespace, Namespace, UpdateNamespace } from "./namespace.ts"

/** Returns a workspace in the form of a namespace. */
export function namespaceOf({ name, description, created_at, updated_at }: Workspace): Static<typeof Namespace> {
  return { id: name, created_at, updated_at, description, project: null, custom_fields: {}, ownership: null }
}

/** Returns a workspace in the form of a namespace of the data store. */
export function dataStoreNamespaceOf(workspace: Workspace): Static<typeof DataStoreNamespace> {
  const { name, created_at, updated_at } = workspace
  return { namespace: name, created_at, updated_at }
}

/** Returns the description in a body, the only field that a workspace stores. @throws `invalid_request` for fields that would be lost */
export function descriptionOf(body: Static<typeof UpdateNamespace>): string | undefined {
  const { description, project, custom_fields } = body
  const msg = "A workspace stores only its name and description; leave this out"
  if (Object.keys(custom_fields ?? {}).length > 0) throw invalidRequest(["body", "custom_fields"], msg, "not_kept")
  if (project !== undefined && project !== null) throw invalidRequest(["body", "project"], msg, "not_kept")
  return description === null ? "" : description
}

/** Parses the filters and searches of a listing of namespaces, whose `id` is the name of a workspace. @throws the errors of `parseListingQuery` */
export function parseNamespaceListing(parameters: readonly (readonly [string, string])[]) {
  const { query, filter } = parseListingQuery(parameters, WORKSPACE_LISTING)
  return { where: { ...query, equals: byName(query.equals), contains: byName(query.contains) }, filter }
}

/** Renames `id`, which is the `name` of a workspace. */
function byName<Value>({ id, ...fields }: { readonly id?: Value; readonly name?: Value }) {
  return id === undefined ? fields : { ...fields, name: id }
}
