import type { ObjstoreStorageConfiguration } from "@assay/schemas"
import { type FakeObjstore, startFakeObjstore } from "@assay/testkit"

export interface TestBucket {
  readonly store: FakeObjstore
  /** The configuration of a default storage below `base`, with its secrets in the workspace `system`. */
  readonly defaultStorage: ObjstoreStorageConfiguration
  /** Uses another clock. The store checks signatures by its clock, so it needs that of the registry. */
  readonly followClock: (now: () => number) => void
}

/** Starts an object store with a bucket for a default storage. */
export async function startTestBucket(): Promise<TestBucket> {
  let now = Date.now
  const store = await startFakeObjstore({ now: () => now() })
  const defaultStorage = {
    type: "objstore",
    bucket: store.bucket,
    prefix: "base",
    region: store.region,
    endpoint_url: store.endpoint,
    access_key_id_secret: "id",
    secret_access_key_secret: "key",
  } as const
  return { store, defaultStorage, followClock: (clock) => void (now = clock) }
}
