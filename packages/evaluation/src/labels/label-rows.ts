import { invalidRequest } from "@assay/schemas"
import { LabelRow } from "@assay/schemas/labels"
import { compileCheck } from "@assay/schemas/validation"

/** Characters of a line in an error. */
const MAX_SHOWN = 200

/**
 * Parses the lines of a file with labels, by the name that messages give it. People may have edited it.
 * @throws `invalid_request` with the first line that is not a label
 */
export function parseLabelRows(text: string, file: string): readonly LabelRow[] {
  const check = compileCheck(LabelRow)
  return text.split("\n").flatMap((line, at) => {
    if (line.trim() === "") return []
    const found = check(parsed(line))
    if (found.valid) return [found.value]
    const [issue] = found.issues
    const fault = [issue?.loc.join("."), issue?.msg].filter((part) => part !== undefined && part !== "").join(": ")
    const message = `${file}:${at + 1} is not a label: ${fault}; mend or remove the line.`
    throw invalidRequest(["fileset"], message, "value_error", line.slice(0, MAX_SHOWN))
  })
}

export function formatLabelRows(rows: readonly LabelRow[]): string {
  return rows.map((row) => `${JSON.stringify(row)}\n`).join("")
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return line
  }
}
