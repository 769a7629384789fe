import type { HubClient } from "./client.ts"
import type { TreeMemory } from "./tree-memory.ts"

/** What the operations of one opened storage share. Its `revision` is a commit. */
export interface HubContext extends HubClient {
  readonly readChunkSize: number
  readonly memory: TreeMemory
}
