import { factFieldsOf, needsTexts } from "../engine/tally/fact-fields.ts"
import { collectFacts } from "./collect-facts.ts"
import { keepFields } from "./keep-fields.ts"

/** The values that results need of rows, in columns: how they are collected, and the fields of items that a task needs in them. */
export const rowFacts = Object.freeze({
  collect: collectFacts,
  fieldsOf: factFieldsOf,
  keepFields,
  /** Returns whether a task needs texts besides these fields. */
  needTexts: needsTexts,
})
