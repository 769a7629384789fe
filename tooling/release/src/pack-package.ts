import { join } from "node:path"
import { fileURLToPath } from "node:url"
import type { Package } from "./manifest.ts"
import { lastLines, type RunCommand } from "./run-command.ts"

const HOOKS = fileURLToPath(new URL("pack-hooks.mjs", import.meta.url))

/** The path of a tarball, or why there is none. */
export type Packed = { readonly tarball: string } | { readonly fault: string }

/** Packs a built package into a folder, with the manifest that is published. */
export async function packPackage(
  { folder, manifest }: Package,
  { root, out, run }: { readonly root: string; readonly out: string; readonly run: RunCommand },
): Promise<Packed> {
  const args = ["pack", `--config.pnpmfile=${HOOKS}`, "--json", "--pack-destination", out]
  const packed = await run("pnpm", args, join(root, folder))
  if (packed.code !== 0) return { fault: `${manifest.name} can't be packed: ${lastLines(packed)}` }
  const { filename }: { filename: string } = JSON.parse(packed.stdout)
  return { tarball: filename }
}
