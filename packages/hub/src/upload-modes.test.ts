import { parseFilePath } from "@assay/storage"
import { expect, it } from "vitest"
import { filesInMemory, revisionOf } from "@assay/filesets/testing"
import { uploadModes } from "./upload-modes.ts"

const OLD = { path: parseFilePath("weights.bin"), size: 3, version: "1", sha256: "a".repeat(64) }
const TREE = revisionOf({ commit: "", createdAt: 0, title: "" }, filesInMemory([OLD]))
const base64 = (...bytes: readonly number[]) => Buffer.from(bytes).toString("base64")

it.each([
  ["text", { path: "a", size: 3, sample: base64(0x61, 0x0a, 0xc3, 0xa9) }, { uploadMode: "regular" }],
  ["text that ends within a character", { path: "a", size: 3, sample: base64(0x61, 0xc3) }, { uploadMode: "regular" }],
  ["bytes that are not UTF-8", { path: "a", size: 3, sample: base64(0xff, 0xfe) }, { uploadMode: "lfs" }],
  ["control characters", { path: "a", size: 3, sample: base64(0x61, 0) }, { uploadMode: "lfs" }],
  ["large text", { path: "a", size: 10_485_761, sample: "" }, { uploadMode: "lfs" }],
  ["a new version of a file", { path: "weights.bin", sample: base64(0) }, { uploadMode: "lfs", oid: OLD.sha256 }],
])("uploadModes chooses how to send %s", async (_what, file, mode) => {
  expect(await uploadModes(TREE, [file])).toEqual([{ path: file.path, shouldIgnore: false, ...mode }])
})
