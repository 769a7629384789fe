import { openLocalStorage, type Storage } from "@assay/storage"
import { openAt } from "./open-at.ts"
import { secretsOfStorage } from "./storage-configuration.ts"
import type { RegistryContext } from "../registry-context.ts"

/** Where the operator keeps the secrets of the default storage. */
const WORKSPACE = "system"

/**
 * Answers with the server's default storage at its root. It stays open until one of its secrets is set anew.
 * @throws `secret_not_readable`, and what the adapter throws
 */
export function createOpenDefaultStorage(
  context: Pick<RegistryContext, "contentChecks" | "defaultStorage" | "secretVersions" | "remote" | "checkEndpoint">,
): () => Promise<Storage> {
  const { defaultStorage: configuration, secretVersions } = context
  if (configuration.type === "local") {
    const storage = openLocalStorage(configuration, { checks: context.contentChecks })
    return async () => storage
  }
  const secrets = secretsOfStorage(configuration, WORKSPACE)
  let opened: { readonly versions: string; readonly storage: Promise<Storage> } | undefined

  async function open(): Promise<Storage> {
    return (await openAt(context, { configuration, workspace: WORKSPACE, isOwn: true })).storage
  }

  return async () => {
    const versions = secrets.length === 0 ? "" : await secretVersions(secrets)
    if (opened?.versions !== versions) {
      const storage = open()
      opened = { versions, storage }
      // A failure is not kept: what was wrong can be right the next time.
      storage.catch(() => {
        if (opened?.storage === storage) opened = undefined
      })
    }
    return opened.storage
  }
}
