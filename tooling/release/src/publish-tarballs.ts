import { lastLines, type RunCommand } from "./run-command.ts"

export interface PackedPackage {
  readonly name: string
  readonly tarball: string
}

/** Publishes tarballs one after the other, and stops at the first that fails. Returns the fault, which names what was published. */
export async function publishTarballs(
  packed: readonly PackedPackage[],
  { root, run, log }: { readonly root: string; readonly run: RunCommand; readonly log: (line: string) => void },
): Promise<readonly string[]> {
  for (const [index, { name, tarball }] of packed.entries()) {
    const result = await run("pnpm", ["publish", tarball, "--access", "public", "--no-git-checks"], root)
    if (result.code !== 0) {
      const published = packed.slice(0, index).map((one) => one.name)
      const rest = packed.slice(index).map((one) => one.name)
      return [
        `${name} was not published: ${lastLines(result)}`,
        `Published: ${published.join(", ") || "nothing"}.`,
        `Not published: ${rest.join(", ")}. Correct the cause, then run the command again with --from ${name}.`,
      ]
    }
    log(`Published ${name}.`)
  }
  return []
}
