import type { CatalogStorageConfiguration } from "@assay/schemas"
import type { TransportOptions } from "@assay/http/node"
import { openCatalogStorage } from "../catalog/open.ts"
import type { OpenedStorage } from "../open-storage.ts"
import { createTestRemote, type TestRemote } from "./create-test-remote.ts"

export interface TestCatalogOptions {
  /** Address of the catalog. */
  readonly host: string
  readonly config?: Partial<CatalogStorageConfiguration> | undefined
  /** Default: a key that is exchanged for a token. */
  readonly key?: string | undefined
  readonly limits?: TransportOptions | undefined
}

export const EXCHANGED_KEY = "fakefakefakefakefakefakefakefake"

/** Opens the model `acme/vision/net` of a catalog, with its environment. */
export async function openTestCatalog({
  host,
  config,
  key = EXCHANGED_KEY,
  limits,
}: TestCatalogOptions): Promise<OpenedStorage & { readonly remote: TestRemote }> {
  const remote = createTestRemote({ "default/catalog-key": key }, limits)
  const base = { type: "catalog", org: "acme", team: "vision", target: "net", target_type: "model" } as const
  const opened = await openCatalogStorage({ ...base, host, api_key_secret: "catalog-key", ...config }, remote)
  return { ...opened, remote }
}
