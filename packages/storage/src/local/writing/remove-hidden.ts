import { unlinkSync } from "node:fs"
import { unlink } from "node:fs/promises"

/** Bytes up to which a file is freed at once. Another thread costs as much as the call, and frees a large file meanwhile. */
const SMALL = 1_048_576n

/** Removes a hidden name of a file. Never fails: the sweep at the next start removes what is left. */
export async function removeHidden(place: string, size: bigint): Promise<void> {
  try {
    if (size <= SMALL) unlinkSync(place)
    else await unlink(place)
  } catch {
    // The name is hidden.
  }
}
