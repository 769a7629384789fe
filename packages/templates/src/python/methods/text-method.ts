import { pythonFunction, type PythonValue } from "../values/python-value.ts"
import { STRING_METHODS } from "./string-methods.ts"

/** Returns a method of Python's `str`, bound to a text. */
export function textMethod(text: string, name: string): PythonValue | undefined {
  const method = STRING_METHODS.get(name)
  return method === undefined ? undefined : pythonFunction((args) => method(text, args))
}
