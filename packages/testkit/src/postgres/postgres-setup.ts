import type { TestProject } from "vitest/node"
import { startPostgres } from "./start-postgres.ts"

declare module "vitest" {
  interface ProvidedContext {
    /** Address of the PostgreSQL server of a test run. `createDatabase` creates a database for each test file. */
    postgresUrl: string
  }
}

/** Starts one server for the run, for `globalSetup` of Vitest. Tests get its address from `inject("postgresUrl")`. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startPostgres()
  project.provide("postgresUrl", server.url)
  return () => server.stop()
}
