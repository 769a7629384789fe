import { relative } from "node:path"
import type { Context } from "../../../context.ts"

/** A place of this machine as a command takes it: from the working folder where it is inside, else absolute. */
export function shownPath({ cwd }: Pick<Context, "cwd">, path: string): string {
  const inside = relative(cwd, path)
  return inside === "" ? "." : inside.startsWith("..") ? path : `./${inside}`
}
