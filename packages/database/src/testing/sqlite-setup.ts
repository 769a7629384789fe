import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { TestProject } from "vitest/node"
import { openDatabase } from "../open-database.ts"
import { expandSchema } from "./expand-schema.ts"

/** Creates one database with its tables, for `globalSetup`. Creating them for each test takes longer than most tests. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), "registry-template-"))
  const file = join(folder, "registry.db")
  const database = await openDatabase({ kind: "sqlite", file }, () => {})
  await expandSchema(database)
  await database.close()
  project.provide("sqliteTemplate", file)
  return () => rm(folder, { recursive: true })
}
