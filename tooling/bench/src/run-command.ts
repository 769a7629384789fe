import { spawn } from "node:child_process"
import process from "node:process"

/** Runs a command and answers with the seconds that it took; fails where it does. */
export async function runCommand(
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<number> {
  const started = performance.now()
  await new Promise<void>((resolve, reject) => {
    const child = spawn(command, args, { env: { ...process.env, ...env }, stdio: ["ignore", "ignore", "pipe"] })
    let complaint = ""
    child.stderr.setEncoding("utf8").on("data", (text: string) => (complaint += text))
    child.once("error", reject)
    child.once("close", (code) =>
      code === 0 ? resolve() : reject(new Error(`${command} ${args.join(" ")} ended with ${code}: ${complaint}`)),
    )
  })
  return (performance.now() - started) / 1000
}

/** Whether a command can be run at all. */
export async function hasCommand(command: string): Promise<boolean> {
  return runCommand("sh", ["-c", `command -v ${command}`]).then(
    () => true,
    () => false,
  )
}
