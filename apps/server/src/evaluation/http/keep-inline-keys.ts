import { checkSecretRights, KEY_SECRET_PREFIX, type Registry } from "@assay/registry"
import { mapSecretReferences, parseSecretRef, secretsNamedIn } from "@assay/schemas"
import type { Caller } from "../../auth/grant.ts"
import { secretRightsOf } from "../../auth/secret-rights.ts"
import { loadEvaluation } from "../load-evaluation.ts"

export interface KeyKeeping {
  readonly registry: Registry
  readonly newId: (prefix: string) => string
}

export interface KeepKeysOptions {
  readonly namespace: string
  readonly caller: Caller
  /** The job that the keys are for, and go with. Absent: they stay until they are deleted. */
  readonly owner?: string
}

const KEY_ID = KEY_SECRET_PREFIX.slice(0, -1)

/**
 * A target or a configuration of a caller in `namespace`, whose inline keys have become secrets there. A key of another job, which
 * an answer about that job named, becomes a secret of its own: it does not go with the other job.
 * @throws `secret_not_readable` where it names a secret of another workspace that the caller may not use
 */
export async function keepInlineKeys<T>(
  body: T,
  { namespace, caller, owner }: KeepKeysOptions,
  { registry, newId }: KeyKeeping,
): Promise<T> {
  const { storeInlineKeys } = await loadEvaluation()
  const named = secretsNamedIn(body, namespace)
  checkSecretRights(named, namespace, secretRightsOf(caller))
  const keep = async (value: string) => {
    const secret = { name: newId(KEY_ID), value }
    const { name } = await registry.secrets.create(namespace, secret, owner === undefined ? {} : { owner })
    return `${namespace}/${name}`
  }
  const copies = new Map<string, string>()
  for (const { workspace, name } of named) {
    if (!name.startsWith(KEY_SECRET_PREFIX) || copies.has(`${workspace}/${name}`)) continue
    const other = await registry.secrets.ownerOf(workspace, name)
    if (other === undefined || other === owner) continue
    copies.set(`${workspace}/${name}`, await keep(await registry.secrets.resolve(workspace, name)))
  }
  if (copies.size === 0) return storeInlineKeys(body, keep)
  const own = mapSecretReferences(body, (reference) => {
    const { workspace, name } = parseSecretRef(reference, namespace)
    return copies.get(`${workspace}/${name}`) ?? reference
  })
  return storeInlineKeys(own, keep)
}
