import type { Safety } from "@assay/schemas"

/** What a key of a verdict is about: a side of the conversation, or the side that the rail looks at. */
export type Side = "user" | "response" | "place"

/** Families whose keys are the same, whatever form they are written in. */
export type KeyGroup = "user-safety" | "harm" | "qwen" | "wildguard" | "flagged" | "bare"

/**
 * What stands where a value is expected. `absent` says that there is none ("N/A"), `missing` that the text ends or goes on
 * before it, `cut` that it began and the text ended.
 */
export type Value = Safety | "unknown" | "absent" | "missing" | "cut"

/** One place in an answer that states a verdict. */
export interface Statement {
  readonly side: Side
  readonly group: KeyGroup
  readonly value: Value
  readonly isJson: boolean
  /** False in the middle of prose: such a statement can contradict a verdict and never be one. */
  readonly isAnchored: boolean
}

/** What an answer states, before it is held together. */
export interface Findings {
  readonly statements: readonly Statement[]
  /** As written; null where no list was met. */
  readonly categories: readonly string[]
  readonly score?: number
}

/** A value beside the verdicts of a JSON text, under its key as written; empty in a list. An object or a list is `undefined`. */
export interface Aside {
  readonly key: string
  /** The key of the list or the object that holds it. */
  readonly parent: string | undefined
  readonly value: string | number | boolean | null | undefined
}
