import type { TestProject } from "vitest/node"
import { findSwift } from "./find-swift.ts"
import { startSwift, type SwiftAccount } from "./start-swift.ts"

declare module "vitest" {
  interface ProvidedContext {
    /** The real object store of a test run, if it is installed. Each test file creates its own bucket. */
    swift: SwiftAccount | null
  }
}

/** Starts one Swift for the run, for `globalSetup` of Vitest. Tests get it from `inject("swift")`. */
export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const found = findSwift()
  if (!found.isThere) {
    console.warn(`Tests against a real S3 server (OpenStack Swift) are skipped: ${found.reason}.`)
    project.provide("swift", null)
    return undefined
  }
  const server = await startSwift()
  const { endpoint, region, accessKeyId, secretAccessKey } = server
  project.provide("swift", { endpoint, region, accessKeyId, secretAccessKey })
  return () => server.close()
}
