import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"

export interface TemporaryFolder extends Disposable {
  readonly path: string
  /** Writes a file below the folder and creates the folders above it. */
  write(path: string, content: string | Uint8Array): void
}

/** Creates a folder that is deleted when its scope ends. */
export function makeTemporaryFolder(): TemporaryFolder {
  const path = mkdtempSync(join(tmpdir(), "assay-cli-"))
  return {
    path,
    write: (name, content) => {
      const file = join(path, name)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, content)
    },
    [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }),
  }
}
