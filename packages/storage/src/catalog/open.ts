import {
  DEFAULT_READ_CHUNK_SIZE,
  parseSecretRef,
  PUBLIC_CATALOG_HOST,
  type CatalogStorageConfiguration,
} from "@assay/schemas"
import type { FilePath } from "../file-path.ts"
import type { RemoteStorageContext, OpenedStorage } from "../open-storage.ts"
import { STORAGE_CAPABILITIES, type Storage } from "../storage.ts"
import { catalogAsset, catalogTarget } from "./asset.ts"
import { parseApiKey } from "./authorization.ts"
import { createCatalogClient, type CatalogClient } from "./client.ts"
import type { CatalogContext } from "./context.ts"
import { readOnly } from "./errors.ts"
import { createFileAddresses } from "./file-addresses.ts"
import { createFileList, listFiles } from "./list.ts"
import { measureFile, readFile, statFile } from "./read.ts"
import { LATEST, resolveVersion } from "./resolve-version.ts"

/**
 * Opens one version of an asset, read-only. The version is resolved once and kept in the configuration. A configuration
 * that contains it opens without a request.
 * @throws `secret_not_readable`, `upstream_refused`, `upstream_missing`, `upstream_misconfigured`, `upstream_failed`
 */
export async function openCatalogStorage(
  config: CatalogStorageConfiguration,
  remote: RemoteStorageContext,
  signal?: AbortSignal,
): Promise<OpenedStorage & { readonly configuration: CatalogStorageConfiguration }> {
  const asset = catalogAsset(config)
  const secret = config.api_key_secret
  const value = await remote.resolveSecret(parseSecretRef(secret, remote.workspace))
  const key = parseApiKey(value, secret, catalogTarget(asset, "open"))
  const client = createCatalogClient(remote, { asset, secret, key })
  const pin = await pinVersion(client, config, signal)
  const defaults = {
    target_type: "resource",
    host: PUBLIC_CATALOG_HOST,
    read_chunk_size: DEFAULT_READ_CHUNK_SIZE,
  } as const
  const configuration = { ...defaults, ...config, ...pin }
  return { storage: catalogStorage(createContext(client, pin.version, configuration.read_chunk_size)), configuration }
}

async function pinVersion(
  client: CatalogClient,
  { version = "", original_version: original }: CatalogStorageConfiguration,
  signal?: AbortSignal,
): Promise<{ readonly version: string; readonly original_version: string }> {
  const isPinned = original !== undefined && version !== "" && version !== LATEST
  if (isPinned) return { version, original_version: original }
  const asked = version === "" ? LATEST : version
  return { version: await resolveVersion(client, asked, signal), original_version: asked }
}

function createContext(client: CatalogClient, version: string, readChunkSize: number): CatalogContext {
  const isListed = async (path: FilePath, signal: AbortSignal) => (await files.find(path, signal)) !== undefined
  const addresses = createFileAddresses({ client, version, isListed })
  const files = createFileList({ client, version, measure: (path, signal) => measureFile(catalog, path, signal) })
  const catalog: CatalogContext = { client, version, readChunkSize, files, addresses, isListed }
  return catalog
}

function catalogStorage(catalog: CatalogContext): Storage {
  const { client, version } = catalog
  return {
    type: "catalog",
    capabilities: STORAGE_CAPABILITIES.catalog,
    stat: (path, { signal } = {}) => statFile(catalog, path, signal),
    list: (options = {}) => listFiles(catalog, options),
    read: (path, options = {}) => readFile(catalog, path, options),
    write: async (path) => {
      throw readOnly(catalogTarget(client.asset, "write", { version, path }))
    },
    delete: async (path) => {
      throw readOnly(catalogTarget(client.asset, "delete", { version, path }))
    },
  }
}
