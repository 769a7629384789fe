import { inspect } from "node:util"
import { isAssayError } from "@assay/schemas"
import { verifies } from "@assay/testkit"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import {
  MAX_PATH_BYTES,
  MAX_SEGMENT_BYTES,
  compareCodePoints,
  isFilePath,
  parseFilePath,
  parseNewFilePath,
} from "./file-path.ts"

const REFUSED: readonly (readonly [string, string])[] = [
  ["", "is empty"],
  ["/a", "begins with a slash"],
  ["/", "begins with a slash"],
  ["a//b", "empty segment"],
  ["a/", "empty segment"],
  [".", "'.'"],
  ["..", "'..'"],
  ["a/../b", "'..'"],
  ["a/.", "'.'"],
  ["a\\b", "backslash"],
  ["a\0b", "control character"],
  ["a\nb", "control character"],
  ["a\u007f", "control character"],
  ["a\u0085", "control character"],
  ["\ud800", "surrogate"],
  ["a\udc00b", "surrogate"],
  ["é".repeat(128), "255 bytes"],
  ["x/".repeat(512) + "y", "1024 bytes"],
]

const name = fc
  .string({ unit: "grapheme", minLength: 1, maxLength: 40 })
  .filter((text) => !/[\\/\p{Cc}]/u.test(text) && text !== "." && text !== ".." && Buffer.byteLength(text) <= 255)
const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join("/"))

describe("parseFilePath", () => {
  it.each(REFUSED)(
    "refuses %j: %s",
    verifies(
      "files.path.empty-segments",
      "files.path.leading-slash",
      "files.path.dot-segments",
      "files.path.backslash",
      "files.path.control-characters",
      "files.path.unicode",
      "files.path.segment-length",
      "files.path.length",
    ),
    (text, title) => {
      const rule = title.replace(/ \[.*$/, "")
      expect(() => parseFilePath(text)).toThrow(rule)
      expect(isFilePath(text)).toBe(false)
    },
  )

  it("returns a valid path unchanged", verifies("files.path.unicode"), () => {
    fc.assert(fc.property(path, (text) => parseFilePath(text) === text))
  })

  it("accepts only paths that follow every rule", () => {
    const anything = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.string({ unit: fc.constantFrom("a", ".", "/", "\\", "\0") }),
    )
    fc.assert(
      fc.property(anything, (text) => {
        const segments = text.split("/")
        const keeps =
          Buffer.byteLength(text) <= MAX_PATH_BYTES &&
          text.isWellFormed() &&
          !/[\\\p{Cc}]/u.test(text) &&
          segments.every(
            (one) => one !== "" && one !== "." && one !== ".." && Buffer.byteLength(one) <= MAX_SEGMENT_BYTES,
          )
        return isFilePath(text) === keeps
      }),
      { numRuns: 2000 },
    )
  })

  it("accepts lengths up to the limits in bytes", verifies("files.path.length", "files.path.segment-length"), () => {
    expect(isFilePath("a".repeat(255))).toBe(true)
    expect(isFilePath(`${"é".repeat(127)}a`)).toBe(true)
    expect(isFilePath(`${`${"a".repeat(63)}/`.repeat(15)}${"a".repeat(64)}`)).toBe(true)
    expect(isFilePath(`${`${"a".repeat(63)}/`.repeat(15)}${"a".repeat(65)}`)).toBe(false)
  })

  it("names the path in its error, escaped and truncated", () => {
    const error = catchError(() => parseFilePath("long\n".repeat(100_000)))
    expect(isAssayError(error, "bad_path")).toBe(true)
    expect(error.message).toContain("Path 'long⟨U+000A⟩long")
    expect(inspect(error).length).toBeLessThan(5000)
  })
})

function catchError(work: () => unknown): Error {
  try {
    work()
  } catch (error) {
    if (error instanceof Error) return error
  }
  throw new Error("It did not fail.")
}

describe("parseNewFilePath", () => {
  it(
    "refuses each bidirectional control character, and accepts its neighbours",
    verifies("files.path.bidirectional-controls"),
    () => {
      const refused = [...range(0x202a, 0x202e), ...range(0x2066, 0x2069)]
      for (const code of refused) {
        const text = `folder/report${String.fromCodePoint(code)}gpj.exe`
        expect(() => parseNewFilePath(text)).toThrow("bidirectional")
        // Another program may have created such a file.
        expect(isFilePath(text)).toBe(true)
      }
      for (const code of [0x2029, 0x202f, 0x2065, 0x206a, 0x200f, 0x05d0]) {
        expect(parseNewFilePath(`a${String.fromCodePoint(code)}`)).toBe(`a${String.fromCodePoint(code)}`)
      }
    },
  )

  it("refuses invalid paths, and never shows the control character itself", () => {
    expect(() => parseNewFilePath("a/../b")).toThrow("'..'")
    const [message] = thrown(() => parseNewFilePath("a\u202e"))
    expect(message).not.toContain("\u202e")
  })
})

const range = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, index) => first + index)

function thrown(work: () => unknown): readonly string[] {
  try {
    work()
    return []
  } catch (error) {
    return [(error as Error).message]
  }
}

describe("compareCodePoints", () => {
  it("orders texts like their UTF-8 bytes", verifies("files.list.order"), () => {
    const text = fc.string({ unit: fc.constantFrom("a", "/", "-", "é", "\uffee", "\ue000", "\u{1f600}", "\u{10000}") })
    fc.assert(
      fc.property(fc.oneof(text, fc.string({ unit: "binary" })), text, (a, b) => {
        const bytes = Buffer.compare(Buffer.from(a), Buffer.from(b))
        return !a.isWellFormed() || Math.sign(compareCodePoints(a, b)) === bytes
      }),
      { numRuns: 2000 },
    )
  })

  it("puts characters above U+FFFF last, unlike the order of UTF-16", () => {
    expect(["\u{1f600}", "\uffee"].toSorted(compareCodePoints)).toEqual(["\uffee", "\u{1f600}"])
    expect(["\u{1f600}", "\uffee"].toSorted()).toEqual(["\u{1f600}", "\uffee"])
  })
})
