import { checkSecretRights } from "@assay/filesets"
import { KEY_SECRET_PREFIX } from "@assay/job-store"
import type { Registry } from "@assay/registry"
import { type BodyFacts, mapSecretReferences, parseSecretRef, readBodyFacts, storeInlineKeys } from "@assay/schemas"
import type { JobScopeRights } from "../rights/job-rights.ts"

export interface KeyContext {
  readonly registry: Pick<Registry, "secrets">
  readonly newId: (prefix: string) => string
}

export interface KeepKeysOptions extends JobScopeRights {
  /** The job that owns the secrets: they are removed with it. Absent: they stay until a user deletes them. */
  readonly owner?: string
  /** The facts of the body, if they are known already. */
  readonly facts?: Pick<BodyFacts, "secretReferences" | "inlineKeys">
}

const KEY_ID = KEY_SECRET_PREFIX.slice(0, -1)

/**
 * Returns a target or a configuration with its inline keys stored as secrets of the workspace. If the body names the key of another
 * job, which answers about that job show, the key is copied to a secret of its own: it must not be removed with the other job.
 * @throws `secret_not_readable` if the body names a secret of another workspace that the caller may not use
 */
export async function keepInlineKeys<T>(
  body: T,
  { workspace: ownWorkspace, rights, owner, facts = readBodyFacts(body) }: KeepKeysOptions,
  { registry, newId }: KeyContext,
): Promise<T> {
  const named = facts.secretReferences.map((reference) => parseSecretRef(reference, ownWorkspace))
  const keys = facts.inlineKeys
  checkSecretRights(named, ownWorkspace, rights.edits)
  const keep = async (value: string) => {
    const secret = { name: newId(KEY_ID), value }
    const { name } = await registry.secrets.create(ownWorkspace, secret, owner === undefined ? {} : { owner })
    return `${ownWorkspace}/${name}`
  }
  const copies = new Map<string, string>()
  for (const { workspace, name } of named) {
    if (!name.startsWith(KEY_SECRET_PREFIX) || copies.has(`${workspace}/${name}`)) continue
    const other = await registry.secrets.ownerOf(workspace, name)
    if (other === undefined || other === owner) continue
    copies.set(`${workspace}/${name}`, await keep(await registry.secrets.resolve(workspace, name)))
  }
  if (copies.size === 0) return storeInlineKeys(body, keep, { keys })
  const own = mapSecretReferences(body, (reference) => {
    const { workspace, name } = parseSecretRef(reference, ownWorkspace)
    return copies.get(`${workspace}/${name}`) ?? reference
  })
  return storeInlineKeys(own, keep, { keys })
}
