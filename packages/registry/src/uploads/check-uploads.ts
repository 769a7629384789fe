import { existsSync } from "node:fs"
import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import type { Damage } from "../integrity/integrity.ts"
import { parseUploadRecord } from "./upload-record.ts"

/** Finds the uploads in progress that can't continue, because their record is damaged or their bytes are gone. */
export async function checkUploads(dataFolder: string): Promise<readonly Damage[]> {
  const folder = join(dataFolder, "uploads")
  const damage: Damage[] = []
  const names = await readdir(folder).catch(() => [])
  for (const name of names.filter((one) => one.endsWith(".json"))) {
    const file = join(folder, name)
    const text = await readFile(file, "utf8").catch(() => undefined)
    // The upload has ended in the meantime.
    if (text === undefined) continue
    const record = parseUploadRecord(text)
    const bytes = file.replace(/\.json$/, ".bytes")
    if (record === undefined)
      damage.push({ kind: "unreadable", place: file, detail: `The record of an upload is damaged. ${ADVICE}` })
    else if (!record.completed && !existsSync(bytes) && existsSync(file)) {
      const { workspace, fileset, path } = record
      const detail = `The bytes of the upload of '${workspace}/${fileset}#${path}' are gone. ${ADVICE}`
      damage.push({ kind: "missing", place: bytes, detail })
    }
  }
  return damage
}

const ADVICE = "It can't continue: delete the record, and have the client begin again."
