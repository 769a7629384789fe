import type { TestProject } from "vitest/node"
import { startPostgres } from "./start-postgres.ts"

declare module "vitest" {
  interface ProvidedContext {
    /** Address of the PostgreSQL server that all test files of a run share; `createDatabase` makes one for each. */
    postgresUrl: string
  }
}

/** For `globalSetup` of a vitest configuration: one server for the run, told to tests by `inject("postgresUrl")`. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startPostgres()
  project.provide("postgresUrl", server.url)
  return () => server.stop()
}
