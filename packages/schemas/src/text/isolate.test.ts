import { expect, it } from "vitest"
import { isolate, isolateQuoted } from "./isolate.ts"

it("A text with right-to-left letters is isolated, and others are unchanged", () => {
  expect(isolate("שלום 2")).toBe("\u2068שלום 2\u2069")
  expect(isolate("日本語 2")).toBe("日本語 2")
})

it.each([
  ["Row 3 can't be read: 'שלום' is 5, not 'a'.", "Row 3 can't be read: '\u2068שלום\u2069' is 5, not 'a'."],
  ["Rows with “مرحبا 1”, 0.5", "Rows with “\u2068مرحبا 1\u2069”, 0.5"],
  ['{"label":"שלום"}', '{"label":"שלום"}'],
  ["שלום is not quoted", "שלום is not quoted"],
  ["'a' and 'b'", "'a' and 'b'"],
])("the quoted parts of a sentence are isolated: %s", (sentence, isolated) => {
  expect(isolateQuoted(sentence)).toBe(isolated)
})
