import { type CallArguments, fail, type PythonValue } from "./python-value.ts"

/**
 * Returns the arguments of a call by the names of its parameters. Arguments that are not given are absent.
 * @throws TemplateFailure for too many or unknown arguments
 */
export function namedArguments<Name extends string>(
  { positional, named }: CallArguments,
  ...parameters: readonly Name[]
): Readonly<Partial<Record<Name, PythonValue>>> {
  if (positional.length > parameters.length) {
    fail(`it gives ${positional.length} arguments where at most ${parameters.length} are taken`)
  }
  const found: Partial<Record<string, PythonValue>> = {}
  for (const [index, value] of positional.entries()) found[parameters[index] ?? ""] = value
  for (const [name, value] of named) {
    if (!(parameters as readonly string[]).includes(name)) fail(`it gives an unknown argument '${name}'`)
    found[name] = value
  }
  return found as Readonly<Partial<Record<Name, PythonValue>>>
}

/** Returns an argument that has to be a text. */
export function textArgument(value: PythonValue | undefined, name: string): string {
  return typeof value === "string" ? value : fail(`the argument '${name}' must be a text`)
}

/** Returns an argument that has to be an integer. */
export function integerArgument(value: PythonValue | undefined, fallback: number): number {
  if (value === undefined) return fallback
  if (typeof value === "boolean") return value ? 1 : 0
  return typeof value === "bigint" ? Number(value) : fail("an argument must be an integer")
}
