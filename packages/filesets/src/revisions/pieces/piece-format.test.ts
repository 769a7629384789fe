import { gunzipSync } from "node:zlib"
import type { FilePath } from "@assay/storage"
import { expect, it } from "vitest"
import type { RevisionFile } from "../revision-file.ts"
import { formatFiles, packFiles, unpackFiles } from "./piece-format.ts"

const fileAt = (index: number): RevisionFile => {
  const sha256 = index.toString(16).padStart(64, "0")
  const known = { path: `folder/é ${index}` as FilePath, size: index }
  return index % 3 === 0
    ? { ...known, version: `"${index}"`, sha256: null }
    : { ...known, version: `"${sha256}"`, sha256 }
}

it.each([0, 1, 4096, 4097, 9000])(
  "%i files are packed as one gzip text of their JSON, and unpacked to the same files",
  async (count) => {
    const files = Array.from({ length: count }, (_, index) => fileAt(index))
    const packed = await packFiles(files)
    expect(gunzipSync(packed).toString()).toBe(formatFiles(files))
    expect(await unpackFiles(packed)).toEqual(files)
  },
)
