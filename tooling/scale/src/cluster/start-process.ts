import { spawn } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import process from "node:process"
import { fileURLToPath } from "node:url"

const MAIN = fileURLToPath(new URL("../../../../apps/server/dist/bundle/main.js", import.meta.url))

/** A server or a worker in a process of its own. */
export interface AssayProcess {
  readonly url: string
  /** Its number in the operating system. */
  readonly pid: number
  /** Whether it has ended, by itself or by `kill` or `stop`. */
  hasEnded(): boolean
  /** Ends it at once, without a chance to release anything. */
  kill(): Promise<void>
  /** Asks it to stop. */
  stop(): Promise<void>
}

export interface ProcessOptions {
  /** Starts the server of another checkout, which must be built. Default: of this one. */
  readonly checkout?: string | undefined
  /** Begins the command, such as `ip netns exec name`. */
  readonly command?: readonly string[] | undefined
}

export async function startProcess(
  env: Readonly<Record<string, string>>,
  { checkout, command = [] }: ProcessOptions = {},
): Promise<AssayProcess> {
  const main = checkout === undefined ? MAIN : join(checkout, "apps/server/dist/bundle/main.js")
  const [program, ...args] = [...command, process.execPath, main]
  const child = spawn(program, args, {
    env: { PATH: process.env["PATH"], PORT: "0", ASSAY_LOG_LEVEL: "warn", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  })
  let said = ""
  child.stderr.on("data", (part) => {
    said = (said + String(part)).slice(-10_000)
  })
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.on("data", (part) => {
      said = (said + String(part)).slice(-10_000)
      if (said.includes("Ctrl-C")) resolve(/http:\/\/[\d.:]+/.exec(said)?.[0] ?? "")
    })
    child.once("close", () => reject(new Error(`The process ended before it listened: ${said}`)))
  })
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    const closed = child.exitCode === null && child.signalCode === null ? once(child, "close") : undefined
    child.kill(signal)
    await closed
  }
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null
  return { url, pid: child.pid ?? 0, hasEnded, kill: () => end("SIGKILL"), stop: () => end("SIGTERM") }
}
