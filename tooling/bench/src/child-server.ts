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
  /** Processor time of the server so far, in seconds. */
  cpuSeconds(): Promise<number>
  stop(): Promise<void>
}

/** The same on every Linux that Node.js runs on. */
const TICKS_PER_SECOND = 100

/** Characters of output that are kept for the message of a server that does not start. */
const KEPT_OUTPUT = 2000

/** Runs a server as a separate process and waits until it prints its address. Its output is read to the end, as a log collector would. */
export async function startChildServer(
  script: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<ChildServer> {
  const started = performance.now()
  const child = spawn(process.execPath, [script, ...args], {
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  })
  // A part that fails may leave its servers running.
  const kill = () => void child.kill("SIGKILL")
  process.once("exit", kill)
  const ended = new Promise<void>((resolve) => {
    child.once("close", () => {
      process.off("exit", kill)
      resolve()
    })
  })
  const url = await new Promise<string>((resolve, reject) => {
    let text = ""
    let complaint = ""
    const read = (part: Buffer) => {
      text += part.toString()
      const found = /http:\/\/[\w.:[\]]+/.exec(text)
      if (found === null) return
      child.stdout.off("data", read).resume()
      resolve(found[0])
    }
    child.stdout.on("data", read)
    child.stderr.on("data", (part: Buffer) => {
      complaint = (complaint + part.toString()).slice(-KEPT_OUTPUT)
    })
    child.once("close", (code) => reject(new Error(`${script} ended with ${code} without an address: ${complaint}`)))
  })
  const readyAfterMs = performance.now() - started
  child.stderr.removeAllListeners("data").resume()
  const pid = child.pid ?? 0
  return {
    url,
    pid,
    readyAfterMs,
    async residentBytes() {
      const status = await readFile(`/proc/${pid}/status`, "utf8")
      return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) * 1024
    },
    async cpuSeconds() {
      const stat = await readFile(`/proc/${pid}/stat`, "utf8")
      // User and system time, after the name of the program, which can have spaces.
      const [user = "", system = ""] = stat.slice(stat.lastIndexOf(")")).split(" ").slice(12)
      return (Number(user) + Number(system)) / TICKS_PER_SECOND
    },
    async stop() {
      child.kill("SIGTERM")
      await ended
    },
  }
}
