import { rename, writeFile } from "node:fs/promises"
import { localFailure, readRegularFile, systemCode } from "@assay/storage"
import type { LabelStore } from "./label-desk.ts"
import { formatLabelRows, parseLabelRows } from "./label-rows.ts"

/** Opens labels in a file of this machine. A missing file has no labels; the first one creates it. */
export function openLabelFile(path: string, name: string): LabelStore {
  const read = async () => parseLabelRows(await readTextIfPresent(path), name)
  return {
    name,
    read,
    async add(added) {
      const all = [...(await read()), ...added]
      try {
        await writeFile(`${path}.new`, formatLabelRows(all))
        await rename(`${path}.new`, path)
      } catch (error) {
        throw localFailure(error, "write", path)
      }
      return all.length
    },
  }
}

async function readTextIfPresent(path: string): Promise<string> {
  try {
    return await readRegularFile(path)
  } catch (error) {
    if (systemCode(error) === "ENOENT") return ""
    throw localFailure(error, "read", path)
  }
}
