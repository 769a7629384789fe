import {
  DEFAULT_READ_CHUNK_SIZE,
  PUBLIC_HUB_ENDPOINT,
  parseSecretRef,
  type HubStorageConfiguration,
} from "@assay/schemas"
import { remoteError } from "../remote/remote-error.ts"
import type { RemoteStorageContext, OpenedStorage } from "../open-storage.ts"
import { STORAGE_CAPABILITIES } from "../storage-capabilities.ts"
import type { Storage } from "../storage.ts"
import { readOnly } from "./errors.ts"
import type { HubContext } from "./hub-context.ts"
import { hubRepository, hubTarget, type HubRepository } from "./hub-repository.ts"
import { listFiles } from "./list-files.ts"
import { withRateLimit } from "./rate-limit.ts"
import { readFile } from "./read-file.ts"
import { isCommit, resolveRevision } from "./resolve-revision.ts"
import { statFile } from "./stat-file.ts"
import { createTreeMemory } from "./tree-memory.ts"

const DEFAULT_REVISION = "main"

/**
 * Files of one commit of a repository. A branch, a tag or nothing is resolved to the commit that it is now, with one
 * request; a configuration whose revision is a commit opens without any.
 * @throws `secret_not_readable`, `upstream_misconfigured`, `upstream_refused`, `upstream_gated`, `upstream_missing`,
 *   `upstream_failed`
 */
export async function openHubStorage(
  config: HubStorageConfiguration,
  remote: RemoteStorageContext,
  signal?: AbortSignal,
): Promise<OpenedStorage> {
  const repository = hubRepository(config)
  const { token_secret: secret } = config
  const asked = config.revision ?? DEFAULT_REVISION
  const token = secret === undefined ? undefined : await readToken(repository, secret, remote)
  const client = {
    remote: { ...remote, transport: withRateLimit(remote.transport) },
    repository,
    token,
    secret,
    revision: asked,
  }
  const revision = isCommit(asked) ? asked : await resolveRevision(client, signal)
  const readChunkSize = config.read_chunk_size ?? DEFAULT_READ_CHUNK_SIZE
  return {
    storage: hubStorage({ ...client, revision, readChunkSize, memory: createTreeMemory() }),
    configuration: {
      ...config,
      repo_type: repository.type,
      endpoint: config.endpoint ?? PUBLIC_HUB_ENDPOINT,
      read_chunk_size: readChunkSize,
      revision,
      // A commit that comes with the word that it was is a configuration which was opened before.
      original_revision: isCommit(asked) ? (config.original_revision ?? asked) : asked,
    },
  }
}

/** @throws `upstream_refused` for what can't be sent as a token */
async function readToken(repository: HubRepository, secret: string, remote: RemoteStorageContext): Promise<string> {
  const token = await remote.resolveSecret(parseSecretRef(secret, remote.workspace))
  if (/^[\x21-\x7e]+$/.test(token)) return token
  const what = `the value of secret '${secret}' has spaces, line ends or characters that no token has; set it again.`
  throw remoteError("upstream_refused", hubTarget(repository, "open"), what)
}

function hubStorage(hub: HubContext): Storage {
  return {
    type: "hub",
    capabilities: STORAGE_CAPABILITIES.hub,
    stat: (path, options = {}) => statFile(hub, path, options.signal),
    list: (options = {}) => listFiles(hub, options),
    read: (path, options = {}) => readFile(hub, path, options),
    write: async (path) => {
      throw readOnly(hubTarget(hub.repository, "write", path))
    },
    delete: async (path) => {
      throw readOnly(hubTarget(hub.repository, "delete", path))
    },
  }
}
