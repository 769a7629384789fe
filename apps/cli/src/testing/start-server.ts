import { once } from "node:events"
import { startAssay } from "./start-assay.ts"
import { makeTemporaryFolder } from "./temporary-folder.ts"

export interface TestServer {
  readonly url: string
  /** The folder that it was started in; its data are in `.assay`. */
  readonly folder: string
  /** Stops it as Ctrl-C does and answers with its exit code. */
  stop(): Promise<number | null>
}

/** A real server of its own: `assay serve` on a free port, with fresh data. */
export async function startServer(env: Readonly<Record<string, string>> = {}): Promise<TestServer> {
  const folder = makeTemporaryFolder()
  const { child, ended } = startAssay(["serve", "--port", "0", "--json"], {
    cwd: folder.path,
    env: { ASSAY_LOG_LEVEL: "warn", ...env },
  })
  const [said] = await Promise.race([
    once(child.stdout, "data"),
    ended.then(({ stderr }) => Promise.reject(new Error(stderr))),
  ])
  const { url }: { url: string } = JSON.parse(String(said))
  return {
    url,
    folder: folder.path,
    stop: async () => {
      child.kill("SIGINT")
      const { exitCode } = await ended
      folder[Symbol.dispose]()
      return exitCode
    },
  }
}
