import { link, rename, unlink } from "node:fs/promises"
import { dirname } from "node:path"
import { syncFolder } from "./create-folder.ts"
import { isMissing, NO_LINKS, systemCode } from "./local/errors.ts"

/** Ending of the second name that the former file has while it is replaced. A crash can leave it. */
const FORMER_ENDING = ".old"

/**
 * Gives the file `temporary`, whose bytes are on the disk, the name `file`, and waits until a power failure can't undo it. If the disk fails,
 * the name leads to the former file again.
 * @param former second name of the former file meanwhile. A file of this name is removed. Default: `file` and `FORMER_ENDING`
 * @throws the system's error
 */
export async function replaceFile(temporary: string, file: string, former = file + FORMER_ENDING): Promise<void> {
  const isKept = await keepFormer(file, former)
  try {
    await rename(temporary, file)
    await syncFolder(dirname(file)).catch(async (error: unknown) => {
      await (isKept ? rename(former, file) : unlink(file))
      throw error
    })
  } finally {
    if (isKept) await unlink(former).catch(() => {})
  }
}

/** Returns false if there is no former file, or if the file system has no hard links. */
async function keepFormer(file: string, former: string): Promise<boolean> {
  try {
    await link(file, former)
    return true
  } catch (error) {
    if (isMissing(error) || NO_LINKS.has(systemCode(error))) return false
    if (systemCode(error) !== "EEXIST") throw error
    await unlink(former)
    return keepFormer(file, former)
  }
}
