import type { ObjstoreStorageConfiguration } from "@assay/schemas"
import { startFakeObjstore, type FakeObjstore } from "@assay/testkit"
import type { RegistryOptions } from "../registry-options.ts"
import type { DatabaseKind } from "@assay/database/testing"
import { createTestRegistry, type TestRegistry } from "./test-registry.ts"

export interface BucketRegistry extends TestRegistry {
  readonly store: FakeObjstore
  readonly defaultStorage: ObjstoreStorageConfiguration
}

/** Creates a registry whose default storage is below `base` in a bucket, with its secrets in the workspace `system`. */
export async function createBucketRegistry(
  kind: DatabaseKind,
  overrides: Partial<RegistryOptions> = {},
): Promise<BucketRegistry> {
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
  const test = await createTestRegistry(kind, { defaultStorage, ...overrides })
  // The store checks signatures by its clock, so both need the same clock.
  now = () => test.clock.time
  await test.registry.secrets.create("system", { name: "id", value: store.accessKeyId })
  await test.registry.secrets.create("system", { name: "key", value: store.secretAccessKey })
  return {
    ...test,
    store,
    defaultStorage,
    async remove() {
      await test.remove()
      await store.close()
    },
  }
}
