import { jsonInText } from "@assay/metrics"
import { fieldsOf } from "../../rows/row-values.ts"

/** The first JSON object in a judge's answer in which `read` finds what it looks for. */
export function readJudgeJson<Found>(
  text: string,
  read: (fields: Readonly<Record<string, unknown>>) => Found | undefined,
): Found | undefined {
  for (const value of jsonInText(text)) {
    const found = read(fieldsOf(value))
    if (found !== undefined) return found
  }
  return undefined
}
