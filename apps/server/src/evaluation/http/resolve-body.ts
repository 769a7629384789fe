import type { Documents } from "@assay/registry"
import { invalidRequest, withSecretsOf } from "@assay/schemas"
import type { Caller } from "../../auth/grant.ts"
import { requireRole } from "../../auth/require-role.ts"
import { itemOf, type DocumentBody } from "./document-body.ts"

export interface ResolveOptions<Body> {
  readonly documents: Documents<Body>
  /** `target` or `config`. */
  readonly key: string
  /** The namespace of the job: names alone are names in it. */
  readonly namespace: string
  readonly caller: Caller
}

/** What tells where something is stored, and not what it is. */
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
 * The whole target or configuration that a launch means: stored under `namespace/name`, stored under the `name` and
 * `namespace` of an object that says nothing else, or written inline.
 * @throws `not_found` for one that is not there or may not be seen
 */
export async function resolveBody<Body extends DocumentBody>(
  given: string | Body,
  options: ResolveOptions<Body>,
): Promise<Body> {
  const address = addressOf(given, options)
  if (address === undefined) return given as Body
  const { namespace, name } = address
  requireRole(options.caller, namespace, "viewer")
  const body = itemOf(await options.documents.get(namespace, name))
  return namespace === options.namespace ? body : withSecretsOf(body, namespace)
}

function addressOf<Body extends DocumentBody>(
  given: string | Body,
  { key, namespace: home }: ResolveOptions<Body>,
): { readonly namespace: string; readonly name: string } | undefined {
  if (typeof given === "object") {
    const { name = "", namespace = home } = given
    const isAddress = name !== "" && Object.keys(given).every((field) => ADDRESS_KEYS.has(field))
    return isAddress ? { namespace, name } : undefined
  }
  const [first = "", second, ...rest] = given.split("/")
  const isName = rest.length === 0 && first !== "" && second !== ""
  if (!isName) throw invalidRequest(["body", key], `'${given}' must be '<namespace>/<name>'`, "value_error", given)
  return second === undefined ? { namespace: home, name: first } : { namespace: first, name: second }
}
