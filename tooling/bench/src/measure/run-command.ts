import { spawn } from "node:child_process"
import process from "node:process"

interface Outcome {
  readonly seconds: number
  readonly output: string
}

function run(command: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<Outcome> {
  const started = performance.now()
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { env: { ...process.env, ...env }, stdio: ["ignore", "pipe", "pipe"] })
    let output = ""
    let complaint = ""
    child.stdout.setEncoding("utf8").on("data", (text: string) => (output += text))
    child.stderr.setEncoding("utf8").on("data", (text: string) => (complaint += text))
    child.once("error", reject)
    child.once("close", (code) => {
      if (code === 0) resolve({ seconds: (performance.now() - started) / 1000, output })
      else reject(new Error(`${command} ${args.join(" ")} ended with ${code}: ${complaint}`))
    })
  })
}

/** Runs a command and returns the seconds that it took. @throws if the command fails */
export async function runCommand(
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<number> {
  return (await run(command, args, env)).seconds
}

/** Runs a command and returns what it printed. @throws if the command fails */
export async function captureCommand(
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<string> {
  return (await run(command, args, env)).output
}

/** Returns whether a command exists. */
export async function hasCommand(command: string): Promise<boolean> {
  return runCommand("sh", ["-c", `command -v ${command}`]).then(
    () => true,
    () => false,
  )
}
