import { captureCommand } from "./run-command.ts"

const MEASURE = '"$@" > /dev/null || exit; times'

/** Runs a command and returns the CPU seconds, of the user and of the system, of its process and of those it waited for. */
export async function cpuSeconds(
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<number> {
  const printed = await captureCommand("sh", ["-c", MEASURE, "sh", command, ...args], env)
  const [, children = ""] = printed.trim().split("\n")
  const parts = [...children.matchAll(/(\d+)m([\d.]+)s/g)].map(
    ([, minutes, seconds]) => Number(minutes) * 60 + Number(seconds),
  )
  return parts.reduce((sum, part) => sum + part, 0)
}
