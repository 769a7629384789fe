import type { SecretAddress } from "@assay/schemas"
import type { SecretRights } from "../registry.ts"
import { secretNotReadable } from "./secret-errors.ts"

/**
 * That a caller may use secrets which a fileset in `home` names. Those of `home` come with the right to the fileset.
 * @throws `secret_not_readable`
 */
export function checkSecretRights(secrets: readonly SecretAddress[], home: string, rights: SecretRights): void {
  for (const { workspace, name } of secrets) {
    if (workspace !== home && !rights(workspace)) throw secretNotReadable(workspace, name)
  }
}
