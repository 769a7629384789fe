import { systemCode } from "../errors.ts"
import type { NewFile } from "./new-file.ts"

/** Codes of the system for a disk without space. */
const FULL: ReadonlySet<string | undefined> = new Set(["ENOSPC", "EDQUOT"])

/** Returns the same file. If the disk is full, a write frees space with `relieve` and is tried once more. */
export function relieved(file: NewFile, relieve: (() => Promise<boolean>) | undefined): NewFile {
  if (relieve === undefined) return file
  return {
    ...file,
    async writev(pieces) {
      try {
        return await file.writev(pieces)
      } catch (error) {
        if (!FULL.has(systemCode(error)) || !(await relieve())) throw error
        return file.writev(pieces)
      }
    },
  }
}
