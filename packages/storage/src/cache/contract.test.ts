import { startFakeHub } from "@assay/testkit"
import { STORAGE_CAPABILITIES } from "../storage.ts"
import { aFewAtATime } from "../testing/ask.ts"
import type { ContractSubject } from "../testing/contract-subject.ts"
import { countOpenBelow } from "../testing/count-open-below.ts"
import { describeStorageContract } from "../testing/describe-storage-contract.ts"
import { openTestCache } from "../testing/open-test-cache.ts"
import { openTestHub } from "../testing/open-test-hub.ts"

const READ_CHUNK_SIZE = 4000

async function openSubject(files: Readonly<Record<string, Uint8Array>>, isCached: boolean): Promise<ContractSubject> {
  const hub = await startFakeHub({ repositories: [{ id: "acme/net", files }] })
  const remote = await openTestHub({ endpoint: hub.url, config: { read_chunk_size: READ_CHUNK_SIZE } })
  const { cache, home, open } = await openTestCache()
  const storage = open(remote)
  if (isCached) await aFewAtATime(await Array.fromAsync(storage.list()), (file) => storage.cache(file))
  const folder = home.configuration.type === "local" ? home.configuration.path : ""
  return {
    storage,
    readChunkSize: READ_CHUNK_SIZE,
    countOpenReads: async () => (await countOpenBelow(folder)) ?? 0,
    async close() {
      await cache.close()
      await hub.close()
    },
  }
}

describeStorageContract("a storage whose cache is empty", {
  capabilities: STORAGE_CAPABILITIES.hub,
  open: (files) => openSubject(files, false),
})

describeStorageContract("a storage whose files are cached", {
  capabilities: STORAGE_CAPABILITIES.hub,
  open: (files) => openSubject(files, true),
})
