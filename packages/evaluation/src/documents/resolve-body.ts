import type { Documents } from "@assay/registry"
import { invalidRequest, withSecretsOf } from "@assay/schemas"
import { checkSeen, type JobScopeRights } from "../service/job-host.ts"
import type { DocumentAddress } from "./evaluation-documents.ts"
import { itemOf, type DocumentBody } from "./document-body.ts"

export interface ResolveOptions<Body> extends JobScopeRights {
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
