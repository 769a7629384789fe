import type { TestProject } from "vitest/node"
import { isInjected } from "../programs/selected-tests.ts"
import { startPostgres } from "./start-postgres.ts"

export { isInjected } from "../programs/selected-tests.ts"

declare module "vitest" {
  interface ProvidedContext {
    /** Address of the PostgreSQL server of a test run. `createDatabase` creates a database for each test file. */
    postgresUrl: string
  }
}

/**
 * Starts one server for the run, for `globalSetup` of Vitest, unless no test that was named needs it. Tests get its address from
 * `inject("postgresUrl")`.
 */
export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  if (!(await isInjected(project, "postgresUrl"))) return undefined
  const server = await startPostgres()
  project.provide("postgresUrl", server.url)
  return () => server.stop()
}
