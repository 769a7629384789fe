import { nameOf, propertyOf, type SyntaxNode } from "./syntax-node.ts"

/** The filters and tests of Jinja, as documented for version 3.1. */
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
/** Statements that need no other file. */
const STATEMENTS = new Set(["raw", "with", "autoescape", "block", "do"])
/** Functions of Jinja, and methods of Python's built-in types. */
const FUNCTIONS = new Set(["dict", "cycler", "joiner", "lipsum"])
const METHODS = new Set(
  `append capitalize center copy count encode endswith extend find format get index insert isalnum isalpha isdigit islower
  isnumeric isspace istitle isupper items join keys ljust lower lstrip partition pop removeprefix removesuffix replace rfind
  rindex rjust rpartition rsplit rstrip setdefault sort split splitlines startswith strip swapcase title update upper values
  zfill`.split(/\s+/),
)

const UNKNOWN = /Unknown (?:\w+ )?(filter|test|statement type): (\w+)/
/** In Python, a loop over a text goes through its letters, and a loop over an undefined value is empty. */
const ITERATED = /in for loop: got (StringValue|UndefinedValue)/
const CALLED = /Cannot call something that is not a function/

/**
 * Returns whether `message` is about a feature that Jinja in Python has and this engine lacks. The template may then be valid; it only
 * can't be tried here.
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

/** The filters of Jinja that the engine here lacks for every value, and its tests. */
const LACKED_FILTERS = new Set(
  `attr batch center count d e escape filesizeformat forceescape format groupby max min pprint random reject round select slice
  striptags sum truncate urlencode urlize wordcount wordwrap xmlattr`.split(/\s+/),
)
const LACKED_TESTS = new Set([
  "divisibleby",
  "escaped",
  "filter",
  "float",
  "ge",
  "gt",
  "greaterthan",
  "in",
  "le",
  "lt",
  "lessthan",
  "ne",
  "sameas",
  "test",
])

/** The filters and tests that templates may have, with those that only the engine here has, and those that it lacks. */
export const jinjaNames = Object.freeze({
  filters: new Set([...FILTERS, "bool"]),
  tests: TESTS,
  lackedFilters: LACKED_FILTERS,
  lackedTests: LACKED_TESTS,
})

export function isJinjaFilter(name: string): boolean {
  return FILTERS.has(name)
}

export function isJinjaTest(name: string): boolean {
  return TESTS.has(name)
}

/** Returns whether a template calls a function of Jinja, or something named like a method of Python's built-in types. */
export function isPythonCallable(callee: unknown): boolean {
  const name = nameOf(callee)
  if (name !== undefined) return FUNCTIONS.has(name)
  const property =
    typeof callee === "object" && callee !== null && "property" in callee ? nameOf(callee.property) : undefined
  return property !== undefined && METHODS.has(property)
}

/** Functions that Jinja gives to every template, whether this engine has them or not. */
export const JINJA_FUNCTIONS: readonly string[] = [...FUNCTIONS, "namespace", "range"]
