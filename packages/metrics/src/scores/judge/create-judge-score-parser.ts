import { invalidRequest } from "@assay/schemas"
import { createLinearPattern } from "../checks/create-linear-pattern.ts"
import { parseJsonPath } from "../json/parse-json-path.ts"
import { readJsonPath } from "../json/read-json-path.ts"
import type { JudgeScoreDefinition, ScoreParserDefinition } from "./judge-score-definition.ts"
import { jsonInText } from "./json-in-text.ts"
import { judgeScoreValue } from "./judge-score-value.ts"

/** The score in a judge's answer; NaN where it can't be read. */
export type JudgeScoreParser = (answer: string) => number

/**
 * Reads one named score from what a judge wrote, in time linear in its length. JSON is found in fences and amid prose;
 * `true` is 1; a label that is not in the rubric, a number out of range and a fraction for an `int` are NaN.
 * @throws `invalid_request` for a pattern or a path that can't be read, and for a rubric without labels
 */
export function createJudgeScoreParser(name: string, definition: JudgeScoreDefinition): JudgeScoreParser {
  checkRubric(name, definition)
  const find = createFinder(name, definition.parser)
  return (answer) => {
    const found = find(answer)
    return found === undefined ? Number.NaN : judgeScoreValue(found, definition)
  }
}

function checkRubric(name: string, { type, rubric }: JudgeScoreDefinition): void {
  if (type !== "rubric" || Object.keys(rubric ?? {}).length > 0) return
  throw invalidRequest(["scores", name, "rubric"], "has no labels; give each label with its value.", "too_short")
}

function createFinder(name: string, parser: ScoreParserDefinition): (answer: string) => unknown {
  if (parser.type === "regex") {
    const pattern = createLinearPattern(parser.pattern, ["scores", name, "parser", "pattern"])
    return (answer) => pattern.firstGroup(answer, parser.method === "match" ? "start" : undefined)
  }
  const path = parser.json_path === undefined ? [name] : parseJsonPath(parser.json_path)
  return (answer) => {
    for (const value of jsonInText(answer)) {
      const found = readJsonPath(value, path)
      if (found !== undefined) return found
    }
    return undefined
  }
}
