import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { runCommand } from "./run-command.ts"
import { makeTemporaryFolder } from "./temporary-folder.ts"

const FILE = ".assay/registry.db"

/** The bytes of a database that has only its tables. Creating them takes longer than the rest of the start of a server. */
const MIGRATED = await migrateNew()

async function migrateNew(): Promise<Uint8Array> {
  using folder = makeTemporaryFolder()
  const { exitCode, stderr } = await runCommand(["migrate"], { cwd: folder.path })
  if (exitCode !== 0) throw new Error(stderr)
  return readFileSync(join(folder.path, FILE))
}

/** Writes a database that has only its tables into the working folder of a server. */
export function writeNewDatabase(folder: string): void {
  mkdirSync(join(folder, ".assay"), { mode: 0o700 })
  writeFileSync(join(folder, FILE), MIGRATED)
  chmodSync(join(folder, FILE), 0o600)
}
