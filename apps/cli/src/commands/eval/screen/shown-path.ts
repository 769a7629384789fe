import { relative } from "node:path"
import type { Context } from "../../../context.ts"

/** Returns a path in the notation of commands: relative if it is inside the working folder, else absolute. */
export function shownPath({ cwd }: Pick<Context, "cwd">, path: string): string {
  const inside = relative(cwd, path)
  return inside === "" ? "." : inside.startsWith("..") ? path : `./${inside}`
}
