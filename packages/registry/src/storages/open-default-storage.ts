import { openLocalStorage, type Storage } from "@assay/storage"
import { openAt } from "./open-at.ts"
import { OPERATORS_WORKSPACE } from "./default-storage.ts"
import { secretsOfStorage } from "./storage-configuration.ts"
import type { RegistryContext } from "../registry-context.ts"

/**
 * Returns a function that opens the root of the server's default storage. It stays open until one of its secrets changes.
 * @throws `secret_not_readable`, and the errors of the adapter
 */
export function createOpenDefaultStorage(
  context: Pick<RegistryContext, "contentChecks" | "defaultStorage" | "secretVersions" | "remote" | "checkEndpoint">,
): () => Promise<Storage> {
  const { defaultStorage: configuration, secretVersions } = context
  if (configuration.type === "local") {
    const storage = openLocalStorage(configuration, { checks: context.contentChecks })
    return async () => storage
  }
  const secrets = secretsOfStorage(configuration, OPERATORS_WORKSPACE)
  let opened: { readonly versions: string; readonly storage: Promise<Storage> } | undefined

  async function open(): Promise<Storage> {
    return (await openAt(context, { configuration, workspace: OPERATORS_WORKSPACE, isOwn: true })).storage
  }

  return async () => {
    const versions = secrets.length === 0 ? "" : await secretVersions(secrets)
    if (opened?.versions !== versions) {
      const storage = open()
      opened = { versions, storage }
      // Do not keep a failure: the next attempt can succeed.
      storage.catch(() => {
        if (opened?.storage === storage) opened = undefined
      })
    }
    return opened.storage
  }
}
