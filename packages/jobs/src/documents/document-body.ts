import type { CreateDocument, Document, Documents } from "@assay/registry"
import { invalidRequest, withSecretsOf } from "@assay/schemas"
import { type JobScopeRights, checkSeen } from "../rights/job-rights.ts"

/** The fields that targets and configurations share. */
export interface DocumentBody {
  readonly type: string
  readonly name?: string
  readonly namespace?: string
  readonly description?: string
  readonly project?: string
}

export type DocumentItem<Body> = Body & { id: string; created_at: string; updated_at: string }

/** Fields that the registry sets. Clients may send them, so that a record that was read can be sent back. */
const OWN_KEYS: ReadonlySet<string> = new Set(["id", "created_at", "updated_at"])

/** Returns the record to create for a body. */
export function recordOf<Body extends DocumentBody>(body: Body): CreateDocument<Body> {
  const { name = "", namespace: _namespace, description = "", project = "", type, ...others } = body
  const kept = Object.entries(others).filter(([key]) => !OWN_KEYS.has(key))
  const data = { type, ...Object.fromEntries(kept) } as unknown as Body
  return { ...(name === "" ? {} : { name }), description, project, data }
}

/** Returns a record in the form of answers and jobs. */
export function itemOf<Body extends DocumentBody>(document: Document<Body>): DocumentItem<Body> {
  const { id, name, workspace: namespace, description, project, created_at, updated_at } = document
  const { type, ...others } = document.data
  const common = { id, type, name, namespace, description, project, custom_fields: {} }
  return { ...common, ...others, created_at, updated_at } as unknown as DocumentItem<Body>
}

/** Returns the body with changes applied. Null removes a key. */
export function changedBody(item: object, changes: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const changed = Object.entries({ ...item, ...changes }).filter(([, value]) => value !== null)
  return Object.fromEntries(changed)
}

export interface DocumentAddress {
  readonly workspace: string
  readonly name: string
}

interface ResolveOptions<Body> extends JobScopeRights {
  readonly documents: Documents<Body>
  /** `target` or `config`. */
  readonly key: string
}

/** Fields that say where a body is stored, and not what it contains. */
const ADDRESS_KEYS: ReadonlySet<string> = new Set([
  "type",
  "id",
  "name",
  "namespace",
  "description",
  "project",
  "custom_fields",
  "ownership",
  "created_at",
  "updated_at",
])

/**
 * Returns the target or configuration of a launch: the one stored under `namespace/name`; the one stored under the `name` and
 * `namespace` of an object without other content; or the inline body.
 * @throws `not_found` if the stored body does not exist or the caller may not see it
 */
export async function resolveBody<Body extends DocumentBody>(
  given: string | Body,
  { documents, key, workspace: ownWorkspace, rights }: ResolveOptions<Body>,
): Promise<Body> {
  const address = addressOf(given, key, ownWorkspace)
  if (address === undefined) return given as Body
  const { workspace, name } = address
  checkSeen(workspace, { workspace: ownWorkspace, rights })
  const body = itemOf(await documents.get(workspace, name))
  return workspace === ownWorkspace ? body : withSecretsOf(body, workspace)
}

function addressOf(given: string | DocumentBody, key: string, ownWorkspace: string): DocumentAddress | undefined {
  if (typeof given === "object") {
    const { name = "", namespace: workspace = ownWorkspace } = given
    const isAddress = name !== "" && Object.keys(given).every((field) => ADDRESS_KEYS.has(field))
    return isAddress ? { workspace, name } : undefined
  }
  const [first = "", second, ...rest] = given.split("/")
  const isName = rest.length === 0 && first !== "" && second !== ""
  if (!isName) throw invalidRequest(["body", key], `'${given}' must be '<namespace>/<name>'`, "value_error", given)
  return second === undefined ? { workspace: ownWorkspace, name: first } : { workspace: first, name: second }
}
