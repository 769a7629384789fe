import { nameOf, propertyOf, type SyntaxNode } from "./syntax-node.ts"

/** Filters and tests that Jinja has, by its documentation of version 3.1. */
const FILTERS = new Set(
  `abs attr batch capitalize center count d default dictsort e escape filesizeformat first float forceescape format
  groupby indent int items join last length list lower map max min pprint random reject rejectattr replace
  reverse round safe select selectattr slice sort string striptags sum title tojson trim truncate unique upper urlencode
  urlize wordcount wordwrap xmlattr`.split(/\s+/),
)
const TESTS = new Set(
  `boolean callable defined divisibleby eq equalto escaped even false filter float ge gt greaterthan in integer iterable le
  lower lt lessthan mapping ne none number odd sameas sequence string test true undefined upper`.split(/\s+/),
)
/** Statements that are whole without another file. */
const STATEMENTS = new Set(["raw", "with", "autoescape", "block", "do"])
/** Functions and methods that Python brings along. */
const FUNCTIONS = new Set(["dict", "cycler", "joiner", "lipsum"])
const METHODS = new Set(
  `append capitalize center copy count encode endswith extend find format get index insert isalnum isalpha isdigit islower
  isnumeric isspace istitle isupper items join keys ljust lower lstrip partition pop removeprefix removesuffix replace rfind
  rindex rjust rpartition rsplit rstrip setdefault sort split splitlines startswith strip swapcase title update upper values
  zfill`.split(/\s+/),
)

const UNKNOWN = /Unknown (?:\w+ )?(filter|test|statement type): (\w+)/
/** Python goes through the letters of a text, and finds nothing in what is undefined. */
const ITERATED = /in for loop: got (StringValue|UndefinedValue)/
const CALLED = /Cannot call something that is not a function/

/**
 * Whether `message` tells of something that Jinja in Python has and the engine here lacks. It says nothing against the
 * template, which can only not be tried out.
 */
export function isEngineGap(message: string, node?: SyntaxNode): boolean {
  const [, kind, name = ""] = UNKNOWN.exec(message) ?? []
  if (kind === "filter") return FILTERS.has(name)
  if (kind === "test") return TESTS.has(name)
  if (kind === "statement type") return STATEMENTS.has(name)
  return (
    ITERATED.test(message) ||
    (CALLED.test(message) && node !== undefined && isPythonCallable(propertyOf(node, "callee")))
  )
}

/** Whether what a template calls is a function, or is named like a method, that Python brings along. */
export function isPythonCallable(callee: unknown): boolean {
  const name = nameOf(callee)
  if (name !== undefined) return FUNCTIONS.has(name)
  const property =
    typeof callee === "object" && callee !== null && "property" in callee ? nameOf(callee.property) : undefined
  return property !== undefined && METHODS.has(property)
}

/** Names that Jinja gives to every template, whether the engine here has them or not. */
export const JINJA_FUNCTIONS: readonly string[] = [...FUNCTIONS, "namespace", "range"]
