import process from "node:process"
import type { Context } from "./context.ts"

/** Returns the words that start this program, for processes that it starts. */
export function programOf({ program }: Pick<Context, "program">): readonly string[] {
  const { execPath, execArgv, argv } = process
  return program ?? [execPath, ...execArgv, argv[1] ?? ""]
}
