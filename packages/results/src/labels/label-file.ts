import { open, type FileHandle } from "node:fs/promises"
import { localFailure, readRegularFile, systemCode } from "@assay/storage"
import type { LabelStore } from "./label-desk.ts"
import { formatLabelRows, parseLabelRows } from "./label-rows.ts"

/**
 * Opens labels in a file of this machine. A missing file has no labels; the first one creates it. Labels are appended, so that several people
 * can add some at the same time.
 */
export function openLabelFile(path: string, name: string): LabelStore {
  const read = async () => parseLabelRows(await readTextIfPresent(path), name)
  return {
    name,
    read,
    async add(added) {
      const before = await readTextIfPresent(path)
      const known = await parseLabelRows(before, name)
      // People may have edited the file.
      const gap = before === "" || before.endsWith("\n") ? "" : "\n"
      try {
        await using file = await open(path, "a")
        await appendWhole(file, Buffer.from(gap + formatLabelRows(added)))
      } catch (error) {
        throw localFailure(error, "write", path)
      }
      return known.length + added.length
    },
  }
}

/** Appends bytes with one write, and waits until they are on the disk. If the disk is full, the file is as it was before. */
async function appendWhole(file: FileHandle, bytes: Buffer): Promise<void> {
  const { size } = await file.stat()
  const written = { bytes: 0 }
  try {
    while (written.bytes < bytes.length) {
      written.bytes += (await file.write(bytes, written.bytes)).bytesWritten
    }
    await file.datasync()
  } catch (error) {
    // Not if somebody else has appended meanwhile.
    const isLast = (await file.stat()).size === size + written.bytes
    if (written.bytes > 0 && isLast) await file.truncate(size)
    throw error
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
