import { once } from "node:events"
import { PassThrough } from "node:stream"
import { writeNewDatabase } from "./new-database.ts"
import { runWith } from "./run-command.ts"
import { makeTemporaryFolder } from "./temporary-folder.ts"

export interface TestServer {
  readonly url: string
  /** The working folder of the server. Its data are in `.assay`. */
  readonly folder: string
  /** Stops the server as Ctrl-C does. Returns its exit code. */
  stop(): Promise<number | null>
}

/** Starts `assay serve` in this process, on a free port and with a database without records. */
export async function startServer(env: Readonly<Record<string, string>> = {}): Promise<TestServer> {
  const folder = makeTemporaryFolder()
  if (env["DATABASE_URL"] === undefined && env["ASSAY_DATA_DIR"] === undefined) writeNewDatabase(folder.path)
  const stopping = new AbortController()
  const stdout = new PassThrough()
  const stderr = new PassThrough()
  const ended = runWith(
    ["serve", "--port", "0", "--json"],
    { stdout, stderr },
    {
      cwd: folder.path,
      env: { ASSAY_LOG_LEVEL: "silent", ...env },
      signal: stopping.signal,
    },
  )
  const [said] = await Promise.race([
    once(stdout, "data"),
    ended.then(() => Promise.reject(new Error(String(stderr.read())))),
  ])
  const { url }: { url: string } = JSON.parse(String(said))
  return {
    url,
    folder: folder.path,
    stop: async () => {
      stopping.abort()
      const exitCode = await ended
      folder[Symbol.dispose]()
      return exitCode
    },
  }
}
