import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"

const PER_FOLDER = 200

/** Writes the small files from number `from` up to `count` into the folder of a fileset on local storage, without a server. */
export function seedFiles(folder: string, count: number, from = 0): void {
  for (let index = from; index < count; index += 1) {
    const parent = join(folder, `part-${Math.floor(index / PER_FOLDER)}`)
    if (index === from || index % PER_FOLDER === 0) mkdirSync(parent, { recursive: true })
    writeFileSync(join(parent, `${index}.json`), `{"number":${index}}`)
  }
}
