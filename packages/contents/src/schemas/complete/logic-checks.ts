import { addErrors, attempt, evaluateInto, fail, type Check, type CompilePart, type MakeChecks } from "./node.ts"

/** Creates the checks of keywords that combine schemas for the same value. */
export const logicChecks: MakeChecks = (schema, compile) => [
  listOf(schema["allOf"], compile, (nodes) => (value, run, seen) => {
    let isValid = true
    for (const node of nodes) {
      if (evaluateInto(node, value, run, seen)) continue
      isValid = false
      if (run.errors === null) break
    }
    return isValid
  }),
  listOf(schema["anyOf"], compile, (nodes) => (value, run, seen) => {
    // Evaluate all of them, because every valid one contributes to what was evaluated.
    const attempts = nodes.map((node) => attempt(node, value, run, seen))
    if (attempts.some(({ isValid }) => isValid)) return true
    addErrors(run, attempts)
    return fail(run, { keyword: "anyOf", params: {}, message: "must match a schema in anyOf", data: value })
  }),
  listOf(schema["oneOf"], compile, (nodes) => (value, run, seen) => {
    const attempts = nodes.map((node) => attempt(node, value, run, seen))
    const holding = attempts.filter(({ isValid }) => isValid).length
    if (holding === 1) return true
    if (holding === 0) addErrors(run, attempts)
    return fail(run, { keyword: "oneOf", params: {}, message: "must match exactly one schema in oneOf", data: value })
  }),
  notCheck(schema["not"], compile),
  conditionCheck(schema, compile),
]

type Nodes = readonly ReturnType<CompilePart>[]

function listOf(parts: unknown, compile: CompilePart, make: (nodes: Nodes) => Check): Check | undefined {
  return Array.isArray(parts) ? make(parts.map(compile)) : undefined
}

function notCheck(part: unknown, compile: CompilePart): Check | undefined {
  if (part === undefined) return undefined
  const node = compile(part)
  return (value, run) => {
    if (!evaluateInto(node, value, { ...run, errors: null }, undefined)) return true
    return fail(run, { keyword: "not", params: {}, message: "must NOT be valid", data: value })
  }
}

function conditionCheck(schema: Readonly<Record<string, unknown>>, compile: CompilePart): Check | undefined {
  if (schema["if"] === undefined) return undefined
  const condition = compile(schema["if"])
  const [whenTrue, whenFalse] = [schema["then"], schema["else"]].map((part) =>
    part === undefined ? undefined : compile(part),
  )
  return (value, run, seen) => {
    const holds = evaluateInto(condition, value, { ...run, errors: null }, seen)
    const key = holds ? "then" : "else"
    const node = holds ? whenTrue : whenFalse
    if (node === undefined || evaluateInto(node, value, run, seen)) return true
    return fail(run, {
      keyword: "if",
      params: { failingKeyword: key },
      message: `must match "${key}" schema`,
      data: value,
    })
  }
}
