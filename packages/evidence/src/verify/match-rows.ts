import { createHash } from "node:crypto"
import type { BundleSide } from "../statement/verdict-statement.ts"
import type { BundleFile } from "./open-bundle.ts"

/**
 * Finds the file with the rows of each side that has them outside of the bundle: the one with its digest, or else the next one that no other side
 * has. Undefined: there are too few files.
 */
export async function matchRows(
  sides: readonly BundleSide[],
  given: readonly BundleFile[],
  signal: AbortSignal,
): Promise<readonly (BundleFile | undefined)[]> {
  const left = new Set(given)
  const outside = sides.map(({ rows }) => (rows.placement === "reference" ? rows : undefined))
  const digests = new Map<BundleFile, string>()
  const found: (BundleFile | undefined)[] = []
  for (const rows of outside) {
    const same = [...left].filter(({ size }) => size === rows?.bytes)
    for (const one of same) digests.set(one, digests.get(one) ?? (await digestOf(one, signal)))
    const file = same.find((one) => digests.get(one) === rows?.sha256)
    found.push(file)
    if (file !== undefined) left.delete(file)
  }
  return outside.map((rows, at) => {
    if (rows === undefined || found[at] !== undefined) return found[at]
    const [next] = left
    if (next !== undefined) left.delete(next)
    return next
  })
}

async function digestOf({ size, read }: BundleFile, signal: AbortSignal): Promise<string> {
  const digest = createHash("sha256")
  for await (const piece of read(0, size, signal)) digest.update(piece)
  return digest.digest("hex")
}
