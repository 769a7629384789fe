import { join } from "node:path"
import { afterAll, beforeAll } from "vitest"
import { runCommand, type RunOptions, type RunResult } from "./run-command.ts"
import { startServer, type TestServer } from "./start-server.ts"
import { makeTemporaryFolder, type TemporaryFolder } from "./temporary-folder.ts"

export interface ServedCommands {
  /** The folder in which commands run. */
  readonly folder: TemporaryFolder
  /** Runs one command against the server. */
  readonly assay: (...words: readonly string[]) => Promise<RunResult>
  /** Runs one command against the server, with options. */
  readonly assayWith: (words: readonly string[], options: RunOptions) => Promise<RunResult>
  /** Returns the paths that `assay ls` prints for an address. */
  readonly listed: (address: string) => Promise<readonly string[]>
}

/** Starts a server before the tests of a file and stops it after them. Commands run in a new folder. */
export function serveCommands(): ServedCommands {
  const folder = makeTemporaryFolder()
  let server: TestServer
  beforeAll(async () => {
    server = await startServer()
  })
  afterAll(async () => {
    folder[Symbol.dispose]()
    await server.stop()
  })

  const assayWith = (words: readonly string[], options: RunOptions) => {
    const env = { ASSAY_URL: server.url, XDG_CACHE_HOME: join(folder.path, "cache") }
    return runCommand(words, { cwd: folder.path, env, ...options })
  }
  const assay = (...words: readonly string[]) => assayWith(words, {})
  return {
    folder,
    assay,
    assayWith,
    async listed(address) {
      const { data } = JSON.parse((await assay("ls", address, "--json")).stdout) as { data: { path: string }[] }
      return data.map(({ path }) => path)
    },
  }
}
