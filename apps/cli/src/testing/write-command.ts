import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const MAIN = fileURLToPath(new URL("../../dist/bundle/main.js", import.meta.url))

/**
 * Writes the built program as a command into a folder, and returns its path. Scripts split the command that they are given at spaces, which the
 * path of the repository can have.
 */
export function writeCommand(folder: string): string {
  const path = join(folder, "assay-command")
  const quoted = [process.execPath, MAIN].map((word) => `'${word.replaceAll("'", String.raw`'\''`)}'`).join(" ")
  writeFileSync(path, `#!/bin/sh\nexec ${quoted} "$@"\n`, { mode: 0o755 })
  return path
}
