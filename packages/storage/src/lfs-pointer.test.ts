import { describe, expect, it } from "vitest"
import { formatLfsPointer, lfsPointerFault, parseLfsPointer } from "./lfs-pointer.ts"

const SHA256 = "4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393"
const ADDRESS = ["https:/", "git-lfs.github.com/spec/v1"].join("/")
const POINTER = `version ${ADDRESS}\noid sha256:${SHA256}\nsize 4976698672\n`

describe("a pointer of git LFS", () => {
  it.each([POINTER, POINTER.replaceAll("\n", "\r\n"), POINTER.replace("\noid", "\next-0-x sha256:0\noid")])(
    "is recognised by its first line, digest and size: %j",
    (text) => {
      expect(parseLfsPointer(Buffer.from(text))).toEqual({ sha256: SHA256, size: 4_976_698_672 })
    },
  )

  it.each([
    "",
    "version 1",
    POINTER.replace("size", "length"),
    POINTER.replace("4d7a", "zzzz"),
    ` ${POINTER}`,
    POINTER.replace("git-lfs", "example"),
  ])("is nothing else: %j", (text) => {
    expect(parseLfsPointer(Buffer.from(text))).toBeUndefined()
  })

  it("is formatted as git LFS writes it", () => {
    expect(formatLfsPointer({ sha256: SHA256, size: 4_976_698_672 })).toBe(POINTER)
  })

  it("is a fault that says how large the file is and which command fetches it", () => {
    expect(lfsPointerFault({ sha256: SHA256, size: 4_976_698_672 })).toBe(
      "is a pointer of git LFS, not the file itself (4,976,698,672 bytes); run 'git lfs pull' in the clone of its repository",
    )
  })
})
