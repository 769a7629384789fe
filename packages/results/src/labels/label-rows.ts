import { setImmediate } from "node:timers/promises"
import { type AssayError, invalidRequest, LabelRow, type ValidationIssue } from "@assay/schemas"

/** Characters of a line in an error. */
const MAX_SHOWN = 200
/** Lines that are parsed before other work gets a turn. */
const LINES_PER_TURN = 1000

/**
 * Parses the lines of a file with labels, by the name that messages give it. People may have edited it.
 * @throws `invalid_request` with the first line that is not a label
 */
export async function parseLabelRows(text: string, file: string): Promise<readonly LabelRow[]> {
  const { compileCheck } = await import("@assay/validation")
  const check = compileCheck(LabelRow)
  const rows: LabelRow[] = []
  for (const [at, line] of text.split("\n").entries()) {
    if (at % LINES_PER_TURN === LINES_PER_TURN - 1) await setImmediate()
    if (line.trim() === "") continue
    const found = check(parsed(line))
    if (!found.valid) throw notALabel(line, `${file}:${at + 1}`, found.issues)
    rows.push(found.value)
  }
  return rows
}

function notALabel(line: string, location: string, [issue]: readonly ValidationIssue[]): AssayError {
  const fault = [issue?.loc.join("."), issue?.msg].filter((part) => part !== undefined && part !== "").join(": ")
  const message = `${location} is not a label: ${fault}; correct or remove the line.`
  return invalidRequest(["fileset"], message, "value_error", line.slice(0, MAX_SHOWN))
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
