import {
  DEFAULT_READ_CHUNK_SIZE,
  PUBLIC_HUB_ENDPOINT,
  parseSecretRef,
  type HubStorageConfiguration,
} from "@assay/schemas"
import type { RemoteStorageContext, OpenedStorage } from "../open-storage.ts"
import { remoteError } from "../remote/remote-error.ts"
import { STORAGE_CAPABILITIES, type Storage } from "../storage.ts"
import { createListingCache, type HubContext } from "./context.ts"
import { readOnly, withRateLimit } from "./errors.ts"
import { listFiles } from "./list.ts"
import { readFile, statFile } from "./read.ts"
import { hubRepository, hubTarget, type HubRepository } from "./repository.ts"
import { isCommit, resolveRevision } from "./resolve-revision.ts"

const DEFAULT_REVISION = "main"

/**
 * Opens one commit of a repository. A branch, a tag or the default is resolved to its current commit with one request.
 * A configuration whose revision is a commit opens without a request.
 * @throws `secret_not_readable`, `upstream_misconfigured`, `upstream_refused`, `upstream_gated`, `upstream_missing`,
 * `upstream_failed`
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
    storage: hubStorage({ ...client, revision, readChunkSize, memory: createListingCache() }),
    configuration: {
      ...config,
      repo_type: repository.type,
      endpoint: config.endpoint ?? PUBLIC_HUB_ENDPOINT,
      read_chunk_size: readChunkSize,
      revision,
      // A commit together with an original revision comes from a configuration that was opened before.
      original_revision: isCommit(asked) ? (config.original_revision ?? asked) : asked,
    },
  }
}

/**
 * Reads the token.
 * @throws `upstream_refused` for a value that can't be sent as a token
 */
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
