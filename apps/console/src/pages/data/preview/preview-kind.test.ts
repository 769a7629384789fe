import { expect, it } from "vitest"
import { previewKind, textOfStart } from "./preview-kind.ts"

it("a preview follows the name of the file, and an SVG is text", () => {
  const kinds = {
    "a/README.md": "markdown",
    "config.JSON": "json",
    "rows.jsonl": "rows",
    "rows.json.gz": "rows",
    "t.parquet": "rows",
    "cat.PNG": "image",
    "cat.svg": "text",
    "page.html": "text",
    "model.safetensors": "text",
    png: "text",
  }
  expect(Object.fromEntries(Object.keys(kinds).map((path) => [path, previewKind(path)]))).toEqual(kinds)
})

it("the start of a text can end within a character, and other bytes are not text", () => {
  const bytes = new TextEncoder().encode("für €")
  expect(textOfStart(bytes)).toBe("für €")
  expect(textOfStart(bytes.subarray(0, -1))).toBe("für ")
  expect(textOfStart(new Uint8Array([0x50, 0x41, 0x00]))).toBeUndefined()
  expect(textOfStart(new Uint8Array([0xff, 0xfe, 0x41]))).toBeUndefined()
  expect(textOfStart(new Uint8Array())).toBe("")
})
