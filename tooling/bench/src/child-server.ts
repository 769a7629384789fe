import { spawn } from "node:child_process"
import { readFile } from "node:fs/promises"
import process from "node:process"

export interface ChildServer {
  readonly url: string
  readonly pid: number
  /** Milliseconds from spawn to the printed address. */
  readonly readyAfterMs: number
  /** Current resident memory in bytes. */
  residentBytes(): Promise<number>
  stop(): Promise<void>
}

/** Runs a server as a separate process and waits until it prints its address. */
export async function startChildServer(
  script: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<ChildServer> {
  const started = performance.now()
  const child = spawn(process.execPath, [script, ...args], {
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "inherit"],
  })
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()))
  const url = await new Promise<string>((resolve, reject) => {
    let text = ""
    child.stdout.setEncoding("utf8").on("data", (part: string) => {
      text += part
      const found = /http:\/\/[\w.:[\]]+/.exec(text)
      if (found !== null) resolve(found[0])
    })
    child.once("close", (code) => reject(new Error(`${script} ended with ${code} before it printed an address`)))
  })
  const pid = child.pid ?? 0
  return {
    url,
    pid,
    readyAfterMs: performance.now() - started,
    async residentBytes() {
      const status = await readFile(`/proc/${pid}/status`, "utf8")
      return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) * 1024
    },
    async stop() {
      child.kill("SIGTERM")
      await ended
    },
  }
}
