import { readNumber } from "@assay/json"
import { AssayError, invalidRequest } from "@assay/schemas"
import { valueText } from "../../rows/value-text.ts"
import type { ScoringEnvironment } from "../../scoring-context.ts"
import { fieldsOfTemplates, readsOutput, type RowTemplate } from "../../templates/row-template.ts"
import type { MetricOutcome, ScoreInput } from "../bound-metric.ts"
import type { DefineMetric, MetricSetup } from "../metric-definition.ts"
import { optionalTemplate, requiredTemplate } from "../metric-templates.ts"
import { candidateText } from "../texts/compared-texts.ts"
import { codeIn, programText } from "./program-text.ts"
import type { ProgramEnd, RunProgram } from "./run-program.ts"

const SCORES = ["passed"]
/** The ways in which a program can end. */
const LABELS = {
  finished: "passed",
  failed: "failed",
  "too-slow": "timed out",
  "over-limit": "over a limit",
} as const satisfies Record<ProgramEnd["kind"], string>
const MAX_SECONDS = 300
const SECONDS = 10
/** Maximum characters of a program. */
const MAX_PROGRAM = 1_000_000

/**
 * `code-execution`: 1 if the code of the answer passes `tests` in a sandbox, else 0. The code is the first fenced block of the answer, or the whole
 * answer; `prompt` is put before it, and `check(entry_point)` after the tests. `timeout` is in seconds.
 */
export const codeExecutionMetric: DefineMetric = (setup) => {
  const candidate = candidateText(setup)
  const tests = requiredTemplate(setup, ["tests"])
  const prompt = optionalTemplate(setup, ["prompt"])
  const entryPoint = optionalTemplate(setup, ["entry_point"])
  const timeLimitMs = secondsOf(setup) * 1000
  const templates = [candidate.template, tests, prompt, entryPoint].filter((template) => template !== undefined)
  const open = async ({ openPrograms }: ScoringEnvironment, signal: AbortSignal): Promise<RunProgram> => {
    if (openPrograms !== undefined) return openPrograms(signal)
    throw new AssayError("code_not_allowed", "Programs of models run only in a sandbox, and this process has none.")
  }
  return {
    key: setup.key,
    type: setup.type,
    scores: SCORES,
    fields: fieldsOfTemplates(templates),
    readsOutput: candidate.template === undefined || readsOutput(templates),
    endpoints: [],
    check: async (environment, signal) => void (await open(environment, signal)),
    async bind({ environment, signal }) {
      const run = await open(environment, signal)
      return {
        key: setup.key,
        type: setup.type,
        scores: SCORES,
        ranges: { passed: [0, 1] },
        labels: { passed: Object.values(LABELS) },
        isRemote: true,
        async score(input, options) {
          const source = programText({
            prompt: prompt?.render(input) ?? "",
            code: codeIn(candidate.of(input)),
            tests: testsOf(tests, input),
            entryPoint: entryPoint === undefined ? undefined : nameOf(entryPoint, input),
          })
          return outcomeOf(await runBounded(run, { source, timeLimitMs }, options.signal))
        },
      }
    },
  }
}

function outcomeOf({ kind }: ProgramEnd): MetricOutcome {
  return { scores: { passed: kind === "finished" ? 1 : 0 }, labels: { passed: LABELS[kind] } }
}

async function runBounded(
  run: RunProgram,
  program: Parameters<RunProgram>[0],
  signal: AbortSignal,
): Promise<ProgramEnd> {
  if (program.source.length <= MAX_PROGRAM) return run(program, signal)
  return { kind: "over-limit", what: `the program has more than ${MAX_PROGRAM} characters` }
}

/** Returns the tests of a row: a text, or a list of texts such as MBPP's `test_list`. @throws `rows_invalid` for none: a program without tests would pass */
function testsOf(template: RowTemplate, input: ScoreInput): string {
  const value = template.evaluate(input)
  const text = Array.isArray(value) ? value.map(valueText).join("\n") : valueText(value)
  if (text.trim() !== "") return text
  throw new AssayError("rows_invalid", `'${template.name}' gives no tests, so that any program would pass.`)
}

/** @throws `rows_invalid` unless it is the name of a function */
function nameOf(template: RowTemplate, input: ScoreInput): string {
  const name = template.render(input).trim()
  if (/^[A-Za-z_][A-Za-z0-9_.]{0,199}$/.test(name)) return name
  throw new AssayError(
    "rows_invalid",
    `'${template.name}' gives '${name.slice(0, 80)}', which is not the name of a Python function.`,
  )
}

function secondsOf({ params, name }: MetricSetup): number {
  const given = params["timeout"] ?? SECONDS
  const seconds = typeof given === "number" ? given : readNumber(valueText(given))
  if (seconds !== undefined && seconds >= 1 && seconds <= MAX_SECONDS) return seconds
  throw invalidRequest(
    [...name.split("."), "timeout"],
    `is not a number of seconds from 1 to ${MAX_SECONDS}.`,
    "value_error",
    given,
  )
}
