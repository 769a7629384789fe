import { readBelow } from "./read-below.ts"

/** Bytes of all files of programs of an evaluation file. */
const MAX_BYTES = 1024 * 1024

/**
 * Reads the files of programs as texts, by the paths that an evaluation file gives. Only files below its folder are read: the file can be that of
 * a stranger, and what its programs read reaches models.
 * @throws `bad_document`, `not_found`
 */
export async function readProgramFiles(paths: readonly string[], folder: string): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>()
  let left = MAX_BYTES
  for (const written of paths) {
    const text = await readBelow(written, { folders: [folder], what: "of a program", maxBytes: left })
    left -= Buffer.byteLength(text)
    texts.set(written, text)
  }
  return texts
}
