import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const PROGRAM = fileURLToPath(new URL("../../../server/dist/bundle/main.js", import.meta.url))

export interface ServerProcess extends AsyncDisposable {
  readonly url: string
  readonly folder: string
}

/** Starts the server as users do, with a data folder of its own and the given settings. */
export async function startServerProcess(env: Readonly<Record<string, string>> = {}): Promise<ServerProcess> {
  const folder = await mkdtemp(join(tmpdir(), "assay-console-"))
  const child = spawn(process.execPath, [PROGRAM], {
    cwd: folder,
    env: { ...process.env, PORT: "0", ASSAY_DATA_DIR: join(folder, "data"), ASSAY_LOG_LEVEL: "error", ...env },
    stdio: ["ignore", "pipe", "inherit"],
  })
  const ended = once(child, "exit")
  let text = ""
  let url: string | undefined
  for await (const piece of child.stdout.setEncoding("utf8").iterator({ destroyOnReturn: false })) {
    text += String(piece)
    url = /address\s+(http:\S+)/.exec(text)?.[1]
    if (url !== undefined) break
  }
  if (url === undefined) throw new Error(`The server did not start: ${text}`)
  child.stdout.resume()
  return {
    url,
    folder,
    async [Symbol.asyncDispose]() {
      child.kill()
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}
