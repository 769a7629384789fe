import { join } from "node:path"
import process from "node:process"
import { lastLines, type RunCommand } from "./run-command.ts"

/** Returns what is wrong with the types of packed packages, each as a sentence. Takes about a second of a core for each. */
export async function typeFaults(
  tarballs: readonly string[],
  { run }: { readonly run: RunCommand },
): Promise<readonly string[]> {
  const program = join(import.meta.dirname, "check-types.ts")
  const checked = await run(process.execPath, [program, ...tarballs], import.meta.dirname)
  if (checked.code !== 0) return [`The types of the packages can't be checked: ${lastLines(checked)}`]
  return checked.stdout.split("\n").filter((line) => line !== "")
}
