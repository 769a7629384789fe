import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { createTransport } from "@assay/storage"
import type { DatabaseOptions } from "@assay/database"
import { createTestServer, type DatabaseKind, type TestServer } from "@assay/database/testing"
import type { FilesetsOptions } from "../filesets-options.ts"

export interface TestFilesetsOptions extends FilesetsOptions {
  readonly database: DatabaseOptions
}

/** The options of filesets on a new database and in a new folder, and what a test does with these. */
export interface TestOptions extends Omit<TestServer, "database" | "now" | "newId" | "log"> {
  /** The default storage is the folder `storage` of the test. Users may name folders in `allowed`. */
  readonly options: TestFilesetsOptions
}

export async function createTestOptions(kind: DatabaseKind): Promise<TestOptions> {
  const { database, now, newId, log, ...test } = await createTestServer(kind)
  return {
    ...test,
    options: {
      database,
      now,
      newId,
      log,
      defaultStorage: { type: "local", path: join(test.folder, "storage") },
      allowedLocalRoots: [{ path: join(test.folder, "allowed") }],
      transport: createTransport({ firstByteMs: 5000, idleMs: 5000 }),
      random: Math.random,
      // Retries wait only for a timer.
      sleep: (_, signal) => setTimeout(1, undefined, { signal }),
    },
  }
}
