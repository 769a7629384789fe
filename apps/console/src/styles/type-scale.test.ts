import { readdir, readFile } from "node:fs/promises"
import { fileURLToPath } from "node:url"
import { expect, it } from "vitest"

/** Sizes of texts in pixels: labels, small texts, texts, sections, figures and titles. */
const SCALE = new Set(["12", "13", "14", "16", "20", "24"])

it("texts of the console have sizes of one scale", async () => {
  const folder = fileURLToPath(new URL("../", import.meta.url))
  const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith(".css"))
  const texts = await Promise.all(names.map((name) => readFile(folder + name, "utf8")))
  const sizes = texts.flatMap((text) => [...text.matchAll(/font-size: ([\d.]+)px/gu)].map(([, size = ""]) => size))
  expect(sizes.length).toBeGreaterThan(30)
  expect(sizes.filter((size) => !SCALE.has(size))).toEqual([])
})
