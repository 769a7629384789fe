import { spawn } from "node:child_process"

export interface CommandResult {
  /** `null` if a signal ended the command or it could not be started. */
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export type RunCommand = (command: string, args: readonly string[], cwd: string) => Promise<CommandResult>

/** Returns a function that runs commands with the given environment, and keeps what they print. */
export function createRunCommand(env: Readonly<Record<string, string | undefined>>): RunCommand {
  return (command, args, cwd) =>
    new Promise((resolve) => {
      const child = spawn(command, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] })
      const printed = { stdout: "", stderr: "" }
      for (const name of ["stdout", "stderr"] as const) {
        child[name].setEncoding("utf8").on("data", (text: string) => {
          printed[name] += text
        })
      }
      child.on("error", (error) => {
        resolve({ code: null, stdout: printed.stdout, stderr: error.message })
      })
      child.on("close", (code) => {
        resolve({ code, ...printed })
      })
    })
}

/** Returns what a failed command printed last, for a message. */
export function lastLines({ stdout, stderr }: CommandResult): string {
  return `${stdout}\n${stderr}`.trim().split("\n").slice(-20).join("\n")
}
