import { existsSync, rmSync } from "node:fs"
import { join } from "node:path"
import type { Package } from "./manifest.ts"
import { lastLines, type RunCommand } from "./run-command.ts"

/** Builds packages from nothing, because an output folder can have files of sources that no longer exist. Returns the faults. */
export async function buildPackages(
  packages: readonly Package[],
  { root, run }: { readonly root: string; readonly run: RunCommand },
): Promise<readonly string[]> {
  for (const { folder } of packages) {
    rmSync(join(root, folder, "dist"), { recursive: true, force: true })
    rmSync(join(root, folder, ".cache/build.tsbuildinfo"), { force: true })
  }
  const settings = packages
    .map(({ folder }) => `${folder}/tsconfig.build.json`)
    .filter((path) => existsSync(join(root, path)))
  const filters = packages.map(({ manifest }) => `--filter=${manifest.name}`)
  // The cache of turbo can have the same former files.
  const steps = [
    ["tsc", "-b", ...settings],
    ["turbo", "run", "build", "--force", "--output-logs=errors-only", ...filters],
  ] as const
  for (const [command, ...args] of steps) {
    const built = await run(command, args, root)
    if (built.code !== 0) return [`${command} failed: ${lastLines(built)}`]
  }
  return []
}
