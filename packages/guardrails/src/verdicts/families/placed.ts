import type { Safety } from "@assay/schemas"
import type { RailPlace } from "../../verdict-reading.ts"
import type { ExactReading } from "./judge-family-form.ts"

/** A verdict that names no side is about the side that its rail looks at. */
export function placed(value: Safety, place: RailPlace, categories: readonly string[] = []): ExactReading {
  return place === "input" ? { user: value, response: null, categories } : { user: null, response: value, categories }
}
