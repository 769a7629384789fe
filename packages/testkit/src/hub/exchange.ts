import type { Caller } from "./check-access.ts"
import type { FaultsAtHand } from "./faults.ts"
import type { HubAddress, HubRequest } from "./hub-request.ts"
import type { FakeHubOptions } from "./fake-hub-options.ts"
import type { SignedAddresses } from "./object-host.ts"
import type { Commit, StoredRepository } from "./stored-repository.ts"

/** The options with all defaults. */
export type HubSettings = Required<FakeHubOptions>

/** The input of an operation. The caller has the right, and repository and revision exist. */
export interface Exchange {
  readonly request: HubRequest
  readonly address: HubAddress
  readonly caller: Caller | undefined
  readonly repository: StoredRepository
  readonly commit: Commit
  readonly settings: HubSettings
  /** Of the hub, path prefix included. */
  readonly url: string
  readonly addresses: SignedAddresses
  readonly faults: FaultsAtHand
}
