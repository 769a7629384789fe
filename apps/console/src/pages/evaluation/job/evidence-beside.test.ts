import { expect, it } from "vitest"
import { evidenceBeside } from "./evidence-beside.ts"

it.each([
  ["1 of 1 rows: it answers 404: no model", "task 'qa', row 0: it answers 404: no model", "task 'qa', row 0"],
  ["2 of 9 rows: it answers 404", "task 'qa', row 0: it answers 500", "task 'qa', row 0: it answers 500"],
  ["2 of 9 rows", "a line without a row", "a line without a row"],
])("Beside %j, the evidence %j is %j", (message, line, shown) => expect(evidenceBeside(message, line)).toBe(shown))
