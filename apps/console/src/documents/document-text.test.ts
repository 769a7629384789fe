import { expect, it } from "vitest"
import { formatDocument, parseDocument } from "./document-text.ts"

it.each(["yaml", "json"] as const)(
  "a document in an editor has escapes for control characters, and keeps its value, as %s",
  async (format) => {
    const value = {
      "key \u202E": "over\u202Eride",
      text: "two\nlines \u2066with\u0007\ttab",
      list: ["\u2028", "yes", "'quoted'", "\r\n", "\u009B2J \\u202e"],
      plain: "line\nline",
    }
    const written = await formatDocument(value, format)
    expect(written).not.toMatch(/[^\P{Cc}\n\t]|[\u2028\u2029\u202A-\u202E\u2066-\u2069]/u)
    expect(written).toContain(String.raw`over\u202eride`)
    expect(await parseDocument(written, format)).toEqual(value)
  },
)
