import { factFieldsOf } from "../engine/tally/fact-fields.ts"
import { collectFacts } from "./collect-facts.ts"

/** The values that results need of rows, in columns: how they are collected, and the fields of items that a task needs in them. */
export const rowFacts = Object.freeze({ collect: collectFacts, fieldsOf: factFieldsOf })
