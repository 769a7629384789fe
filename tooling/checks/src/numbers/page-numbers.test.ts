import { describe, expect, it } from "vitest"
import { lookedAt } from "../reading/looked-at.ts"
import { readText } from "../reading/repository.ts"
import { LIMITS, type Unit } from "./limits-table.ts"
import { GUIDE_SENTENCES } from "./guide-sentences.ts"
import { LIMITS_SENTENCES } from "./limits-sentences.ts"

const rows = new Map(
  readText("docs/reference/limits.md")
    .split("\n")
    .flatMap((line): readonly (readonly [string, string])[] => {
      const [, first = "", ...rest] = line.split("|").map((cell) => cell.trim())
      return line.startsWith("|") && first !== "" && !/^-+$/.test(first) ? [[first, rest.join(" | ")]] : []
    }),
)

/** Returns the first number after a text in a source file, such as `16 * 1024 * 1024`. */
function numberAfter(file: string, before: string): number {
  const found = readText(file)
    .split(before)
    .slice(1)
    .map((rest) => /^[\d_]+(?: \* [\d_]+)*/.exec(rest)?.[0])
    .find((number) => number !== undefined)
  if (found === undefined)
    throw new Error(`'${file}' has no number after '${before}': correct the table of this check.`)
  return found.split(" * ").reduce((product, factor) => product * Number(factor.replaceAll("_", "")), 1)
}

function format(value: number, unit: Unit): string {
  if (unit === "ms") return value >= 3_600_000 ? `${value / 3_600_000} h` : `${value / 1000} s`
  if (unit === "count") return value.toLocaleString("en")
  return value >= 2 ** 20 ? `${value / 2 ** 20} MiB` : `${value / 2 ** 10} KiB`
}

describe("the numbers in pages", () => {
  it("are those of the code, in the tables of limits", () => {
    const wrong = lookedAt("limit", LIMITS).flatMap(([row, unit, file, ...before]) => {
      const wanted = before.map((text) => format(numberAfter(file, text), unit))
      const cells = rows.get(row) ?? "no row"
      const isThere = new RegExp(`(?<![\\d,])${wanted.join(" +\\| ")}(?![\\d,]*\\d)`).test(cells)
      return isThere ? [] : [`${row}: ${cells}, and ${file} has ${wanted.join(", ")}`]
    })
    expect(wrong).toEqual([])
  })

  it("are those of the code, in sentences", () => {
    const wrong = lookedAt("sentence", [...LIMITS_SENTENCES, ...GUIDE_SENTENCES]).flatMap(
      ([page, sentence, file, before, value]) => [
        ...(readText(page).replaceAll(/\s+/g, " ").includes(sentence) ? [] : [`${page} does not say '${sentence}'.`]),
        ...(numberAfter(file, before) === value ? [] : [`${file} has ${numberAfter(file, before)}: '${sentence}'`]),
      ],
    )
    expect(wrong).toEqual([])
  })
})
