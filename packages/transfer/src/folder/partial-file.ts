import { createHash } from "node:crypto"

const SHAPE = /^\.[0-9a-f]{32}\.assay-partial$/

/**
 * The name under which a file is kept until it is whole, in the same folder: its own for every path and version, so that
 * a later run finds what an earlier one left, and short enough beside any name.
 */
export function partialName(path: string, version: string): string {
  const digest = createHash("sha256")
    .update(JSON.stringify([path, version]))
    .digest("hex")
  return `.${digest.slice(0, 32)}.assay-partial`
}

/** Whether a name is one of those: they are never sent, and swept when a fetch is complete. */
export function isPartialName(name: string): boolean {
  return SHAPE.test(name)
}
