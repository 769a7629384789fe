import { createHash } from "node:crypto"

const SHAPE = /^\.[0-9a-f]{32}\.assay-partial$/

/**
 * Returns the name of the file that holds the bytes until the file is complete, in the same folder. Each path and version has
 * its own name, so that a later run finds the bytes of an earlier one. The length does not depend on the path.
 */
export function partialName(path: string, version: string): string {
  const digest = createHash("sha256")
    .update(JSON.stringify([path, version]))
    .digest("hex")
  return `.${digest.slice(0, 32)}.assay-partial`
}

/** Returns whether a name is the name of a partial file. Partial files are never sent, and deleted after a complete transfer. */
export function isPartialName(name: string): boolean {
  return SHAPE.test(name)
}
