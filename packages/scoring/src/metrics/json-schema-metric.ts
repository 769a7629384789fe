import { checkDatasetMetadata, createValueChecker, type JsonSchema, type ValueChecker } from "@assay/contents"
import { jsonInText } from "@assay/metrics"
import { AssayError, invalidRequest } from "@assay/schemas"
import { isObject } from "@assay/json"
import type { ScoringEnvironment } from "../scoring-context.ts"
import { fieldsOfTemplates, readsOutput } from "../templates/row-template.ts"
import type { DefineMetric, MetricSetup } from "./metric-definition.ts"
import { candidateText } from "./texts/compared-texts.ts"

const SCORES = ["json-schema"]

/**
 * `json-schema`: 1 if the answer is JSON that satisfies `schema`, else 0. The answer must be nothing but JSON, unless `extract: true`
 * allows JSON in a code fence or within prose. The schema is compiled, and answers are checked, within the limits of the job's
 * environment.
 */
export const jsonSchemaMetric: DefineMetric = (setup) => {
  const candidate = candidateText(setup)
  const templates = candidate.template === undefined ? [] : [candidate.template]
  const schema = schemaOf(setup)
  const jsonOf = setup.params["extract"] === true ? extractedJson : (text: string) => text
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

async function scoreOf(json: string | undefined, checker: ValueChecker): Promise<number> {
  return json !== undefined && (await checker.check(json)) === null ? 1 : 0
}

/** Returns the first JSON value in a text; undefined if there is none. @throws `answer_unusable` for JSON that is nested too deeply */
function extractedJson(text: string): string | undefined {
  const [value] = jsonInText(text)
  try {
    return JSON.stringify(value)
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
