import type { HubStorageConfiguration } from "@assay/schemas"
import type { TransportOptions } from "@assay/http/node"
import { openHubStorage } from "../hub/open.ts"
import type { OpenedStorage } from "../open-storage.ts"
import { createTestRemote, type TestRemote } from "./create-test-remote.ts"

export interface TestHubOptions {
  /** Address of the hub. */
  readonly endpoint: string
  /** Default: the model `acme/net`, with the token below if there is one. */
  readonly config?: Partial<HubStorageConfiguration> | undefined
  /** Value of the secret `hub-token`. Default: no token. */
  readonly token?: string | undefined
  readonly limits?: TransportOptions | undefined
}

/** Opens a repository of a hub, with its environment. */
export async function openTestHub({
  endpoint,
  config,
  token,
  limits,
}: TestHubOptions): Promise<OpenedStorage & { readonly remote: TestRemote }> {
  const remote = createTestRemote(token === undefined ? {} : { "default/hub-token": token }, limits)
  const secret = token === undefined ? {} : { token_secret: "hub-token" }
  const opened = await openHubStorage({ type: "hub", repo_id: "acme/net", endpoint, ...secret, ...config }, remote)
  return { ...opened, remote }
}
