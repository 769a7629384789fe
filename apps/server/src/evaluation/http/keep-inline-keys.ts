import { checkSecretRights, type Registry } from "@assay/registry"
import type { Caller } from "../../auth/grant.ts"
import { secretRightsOf } from "../../auth/secret-rights.ts"
import { loadEvaluation } from "../load-evaluation.ts"
import { secretsNamedIn } from "@assay/schemas"

export interface KeyKeeping {
  readonly registry: Registry
  readonly newId: (prefix: string) => string
}

/**
 * A target or a configuration of a caller in `namespace`, whose inline keys have become secrets there.
 * @throws `secret_not_readable` where it names a secret of another workspace that the caller may not use
 */
export async function keepInlineKeys<T>(
  body: T,
  { namespace, caller }: { readonly namespace: string; readonly caller: Caller },
  { registry, newId }: KeyKeeping,
): Promise<T> {
  const { storeInlineKeys } = await loadEvaluation()
  checkSecretRights(secretsNamedIn(body, namespace), namespace, secretRightsOf(caller))
  return storeInlineKeys(body, async (value) => {
    const { name } = await registry.secrets.create(namespace, { name: newId("eval-key"), value })
    return `${namespace}/${name}`
  })
}
