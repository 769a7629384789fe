import { checkDatasetMetadata, createValueChecker, type JsonSchema, type ValueChecker } from "@assay/contents"
import { jsonInText } from "@assay/metrics"
import { AssayError, invalidRequest } from "@assay/schemas"
import { isObject } from "@assay/json"
import type { ScoringEnvironment } from "../scoring-context.ts"
import { fieldsOfTemplates, readsOutput } from "../templates/row-template.ts"
import type { DefineMetric, MetricSetup } from "./metric-definition.ts"
import { candidateText } from "./texts/compared-texts.ts"

const SCORES = ["json-schema"]
/** Values of an answer that are tried with `extract: any`. */
const MAX_VALUES = 40

/**
 * `json-schema`: 1 if the answer is JSON that satisfies `schema`, else 0. The answer must be nothing but JSON, unless `extract: true`
 * allows JSON in a code fence or within prose, of which the likeliest counts; with `extract: any`, one of them has to satisfy the schema. The schema is compiled, and answers are checked, within the limits of the job's
 * environment.
 */
export const jsonSchemaMetric: DefineMetric = (setup) => {
  const candidate = candidateText(setup)
  const templates = candidate.template === undefined ? [] : [candidate.template]
  const schema = schemaOf(setup)
  const { extract } = setup.params
  const most = extract === true ? 1 : extract === "any" ? MAX_VALUES : 0
  const jsonOf = most === 0 ? (text: string) => [text] : (text: string) => extractedJson(text, most)
  const check = ({ schemas }: ScoringEnvironment, signal: AbortSignal) =>
    checkDatasetMetadata({ schema }, { schemas, loc: setup.name.split("."), signal })
  return {
    key: setup.key,
    type: setup.type,
    scores: SCORES,
    fields: fieldsOfTemplates(templates),
    readsOutput: templates.length === 0 || readsOutput(templates),
    endpoints: [],
    check,
    async bind({ environment, signal }) {
      await check(environment, signal)
      const checker = createValueChecker(schema, environment.schemas)
      return {
        key: setup.key,
        type: setup.type,
        scores: SCORES,
        isRemote: true,
        score: async (input) => ({ scores: { "json-schema": await scoreOf(jsonOf(candidate.of(input)), checker) } }),
      }
    },
  }
}

async function scoreOf(values: readonly string[], checker: ValueChecker): Promise<number> {
  for (const json of values) if ((await checker.check(json)) === null) return 1
  return 0
}

/** Returns the first JSON values in a text. @throws `answer_unusable` for JSON that is nested too deeply */
function extractedJson(text: string, most: number): readonly string[] {
  try {
    return [...jsonInText(text).take(most)].map((value) => JSON.stringify(value))
  } catch (error) {
    throw new AssayError("answer_unusable", "The JSON of the answer is nested too deeply to be checked.", {
      cause: error,
    })
  }
}

function schemaOf({ params, name }: MetricSetup): JsonSchema {
  const { schema } = params
  if (isObject(schema)) return schema
  throw invalidRequest([...name.split("."), "schema"], "is missing; give a JSON Schema.", "missing", schema)
}
