import { once } from "node:events"
import { startAssay } from "./start-assay.ts"
import type { TestServer } from "./start-server.ts"
import { makeTemporaryFolder } from "./temporary-folder.ts"

/** Starts `assay serve` in a new process, on a free port and with an empty data folder. */
export async function startServerProcess(env: Readonly<Record<string, string>> = {}): Promise<TestServer> {
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
