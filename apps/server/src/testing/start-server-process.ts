import { spawn } from "node:child_process"
import { once } from "node:events"
import process from "node:process"
import { fileURLToPath } from "node:url"

const MAIN = fileURLToPath(new URL("../../dist/bundle/main.js", import.meta.url))

/** A server in its own process. */
export interface ServerProcess {
  readonly url: string
  /** Sends a signal, for example SIGSTOP, and does not wait. */
  signal(signal: NodeJS.Signals): void
  /** Kills the process. */
  kill(): Promise<void>
  /** Sends SIGTERM, and returns the exit code. */
  stop(): Promise<number | null>
}

/** Starts the built server on a free port, and waits until it listens. */
export async function startServerProcess(
  cwd: string,
  env: Readonly<Record<string, string>> = {},
): Promise<ServerProcess> {
  const child = spawn(process.execPath, [MAIN], {
    cwd,
    env: { PATH: process.env["PATH"], PORT: "0", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  })
  let faults = ""
  child.stderr.on("data", (part) => {
    faults = (faults + String(part)).slice(-10_000)
  })
  const end = async (signal: NodeJS.Signals) => {
    const closed = child.exitCode === null && child.signalCode === null ? once(child, "close") : undefined
    child.kill(signal)
    await closed
    return child.exitCode
  }
  const url = await new Promise<string>((resolve, reject) => {
    let text = ""
    child.stdout.on("data", (part) => {
      text += String(part)
      if (text.includes("Ctrl-C")) resolve(/http:\/\/[\d.:]+/.exec(text)?.[0] ?? "")
    })
    child.on("close", () => reject(new Error(`The server ended before it listened: ${text}${faults}`)))
  })
  return {
    url,
    signal: (signal) => void child.kill(signal),
    kill: async () => void (await end("SIGKILL")),
    stop: () => end("SIGTERM"),
  }
}
