import { isDict, isPythonEqual, pythonItems, pythonKind, type PythonDict, type PythonKind } from "./python-values.ts"

/** The declared type of a parameter. */
export interface ParameterType {
  readonly kind: PythonKind
  /** The type of the items of an array, if it is declared. */
  readonly items?: PythonKind | undefined
}

/** Prepares a text for comparison. Other values are returned as they are. */
export type Standardize = (value: unknown) => unknown

/**
 * Creates the preparation of texts that BFCL uses: without spaces and `,./-_*^`, in lower case, with double quotes. Each text is
 * prepared once.
 */
export function createStandardize(): Standardize {
  const known = new Map<string, string>()
  return (value) => {
    if (typeof value !== "string") return value
    let standard = known.get(value)
    if (standard === undefined) {
      standard = value
        .replace(/[ ,./\-_*^]/g, "")
        .toLowerCase()
        .replaceAll("'", '"')
      known.set(value, standard)
    }
    return standard
  }
}

/**
 * Returns whether the argument of a call has the declared type and is one of the possible answers, as BFCL decides it. An answer of
 * another type than the declared one is the name of a variable, which is compared exactly. The items of arrays are checked one level deep.
 */
export function isPossibleAnswer(
  value: unknown,
  answers: readonly unknown[],
  { type, standardize }: { readonly type: ParameterType; readonly standardize: Standardize },
): boolean {
  const own = pythonKind(value)
  const kind = own === "int" && type.kind === "float" ? "float" : own
  const answerKind = kindOfAnswers(answers)
  const isVariable = answerKind !== undefined && answerKind !== type.kind
  if (kind !== type.kind) return kind === answerKind && answers.some((answer) => isPythonEqual(value, answer))
  if (type.items !== undefined && Array.isArray(value) && !hasPossibleItems(value, answers, type.items)) return false
  if (isVariable) return answers.some((answer) => isPythonEqual(value, answer))
  if (isDict(value)) return answers.some((answer) => isPossibleDict(value, answer, standardize))
  if (Array.isArray(value)) {
    const isPossible = type.items === "dict" ? isPossibleDictList : isPossibleList
    return answers.some((answer) => isPossible(value, answer, standardize))
  }
  if (typeof value === "string") return isAmong(value, answers, standardize)
  return answers.some((answer) => isPythonEqual(value, answer))
}

/** Returns the type of the first answer that is not an empty text, which means that the parameter may be left out. */
function kindOfAnswers(answers: readonly unknown[]): PythonKind | undefined {
  const first = answers.find((answer) => answer !== "")
  return first === undefined ? undefined : pythonKind(first)
}

/** Returns whether the items of a list have the declared type, or that of the items of an answer. */
function hasPossibleItems(value: readonly unknown[], answers: readonly unknown[], kind: PythonKind): boolean {
  const kinds = [...new Set(value.map(pythonKind))]
  return answers.some((answer) => {
    if (!Array.isArray(answer)) return true
    const other = kindOfAnswers(answer)
    return kinds.every((one) => one === kind || one === other)
  })
}

function isAmong(value: unknown, answers: readonly unknown[], standardize: Standardize): boolean {
  const standard = standardize(value)
  return answers.some((answer) => isPythonEqual(standard, standardize(answer)))
}

function isPossibleList(value: readonly unknown[], answer: unknown, standardize: Standardize): boolean {
  const items = pythonItems(answer)
  if (items?.length !== value.length) return false
  return items.every((item, at) => isPythonEqual(standardize(value[at]), standardize(item)))
}

/** Returns whether each key of a dict has one of its possible values, and no key is missing that may not be left out. */
function isPossibleDict(value: PythonDict, answer: unknown, standardize: Standardize): boolean {
  if (!isDict(answer)) return false
  const isPossible = ([key, own]: readonly [string, unknown]) =>
    Object.hasOwn(answer, key) && isAmong(own, pythonItems(answer[key]) ?? [], standardize)
  if (!Object.entries(value).every(isPossible)) return false
  return Object.entries(answer).every(([key, values]) => Object.hasOwn(value, key) || isOptional(values))
}

function isPossibleDictList(value: readonly unknown[], answer: unknown, standardize: Standardize): boolean {
  const items = pythonItems(answer)
  if (items?.length !== value.length) return false
  return items.every((item, at) => {
    const own = value[at]
    return isDict(own) && isPossibleDict(own, item, standardize)
  })
}

/** Returns whether a parameter or key may be left out: an empty text is among its possible values. */
export function isOptional(values: unknown): boolean {
  return typeof values === "string" || (Array.isArray(values) && values.includes(""))
}
