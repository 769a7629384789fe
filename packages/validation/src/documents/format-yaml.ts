import { Document, visit } from "yaml"
import { isExactNumber, numberText } from "@assay/json"
import { printableJson, printableText } from "@assay/schemas"

/** Formats a value as YAML that `parseYaml` reads as the same value. Exact numbers keep their text, and control characters are escaped. */
export function formatYaml(value: unknown): string {
  const texts: string[] = []
  const mark = unusedMark(JSON.stringify(value) ?? "")
  const marked = replaceNumbers(value, (text) => `${mark}${texts.push(text) - 1}_`)
  const document = new Document(marked)
  visit(document, {
    Scalar(_key, node) {
      // Only this kind of scalar has escapes.
      if (typeof node.value === "string" && printableText(node.value) !== node.value) node.type = "QUOTE_DOUBLE"
    },
  })
  const yaml = printableJson(document.toString({ lineWidth: 100 }))
  return texts.length === 0
    ? yaml
    : yaml.replaceAll(new RegExp(`${mark}(\\d+)_`, "g"), (_all, at) => texts[Number(at)] ?? "")
}

function unusedMark(text: string): string {
  let mark = "exact_"
  while (text.includes(mark)) mark += "x_"
  return mark
}

function replaceNumbers(value: unknown, replace: (text: string) => string): unknown {
  if (isExactNumber(value)) return replace(numberText(value) ?? "")
  if (Array.isArray(value)) return value.map((one) => replaceNumbers(one, replace))
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, replaceNumbers(one, replace)]))
}
