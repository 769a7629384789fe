import type { JudgeFamily, Safety, Verdict } from "@assay/schemas"
import type { RailPlace } from "../../verdict-reading.ts"
import type { KeyGroup, Value } from "../statements/statement.ts"

/** What is read from an answer in its family's form to the letter. */
export interface ExactReading {
  readonly user: Safety | null
  readonly response: Safety | null
  /** The list as written, or the empty text. */
  readonly categories: readonly string[]
}

/** What is particular to the answers of one family. */
export interface JudgeFamilyForm {
  readonly family: JudgeFamily
  /** The keys that it states a verdict under; `bare`: none. */
  readonly group: KeyGroup
  /** Reads the canonical form and nothing else; what it answers must be what the long way answers. */
  readonly readExact: (text: string, place: RailPlace) => ExactReading | undefined
  /** Reads an answer without keys, which has been normalised and freed of reasoning. */
  readonly readBare?: (text: string) => BareReading
  /** The canonical form of a verdict. */
  readonly format: (verdict: Pick<Verdict, "user_safety" | "response_safety" | "categories">) => string
}

/** What an answer without keys states: every value that it gives, of which all must agree. */
export interface BareReading {
  readonly values: readonly Value[]
  readonly categories: readonly string[]
}

export const NOTHING_SAID: BareReading = { values: [], categories: [] }

/** A verdict that names no side is about the side that its rail looks at. */
export function placed(value: Safety, place: RailPlace, categories: readonly string[] = []): ExactReading {
  return place === "input" ? { user: value, response: null, categories } : { user: null, response: value, categories }
}
