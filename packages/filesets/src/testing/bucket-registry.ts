import type { DatabaseKind } from "@assay/database/testing"
import type { FilesetsOptions } from "../filesets-options.ts"
import { startTestBucket, type TestBucket } from "./test-bucket.ts"
import { createTestRegistry, type TestRegistry } from "./test-registry.ts"

export type BucketRegistry = TestRegistry & Omit<TestBucket, "followClock">

/** Opens filesets whose default storage is below `base` in a bucket, with its secrets in the workspace `system`. */
export async function createBucketRegistry(
  kind: DatabaseKind,
  overrides: Partial<FilesetsOptions> = {},
): Promise<BucketRegistry> {
  const { store, defaultStorage, followClock } = await startTestBucket()
  const test = await createTestRegistry(kind, { defaultStorage, ...overrides })
  followClock(() => test.clock.time)
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
