import { integerArgument, namedArguments, textArgument } from "../values/call-arguments.ts"
import { type CallArguments, fail, isTrue, type PythonValue } from "../values/python-value.ts"
import { pythonTrimEnd, pythonTrimStart, pythonWords } from "../values/white-space.ts"

/** Does the same as Python's `str.split` and `str.rsplit`. */
export function splitText(text: string, args: CallArguments, isReverse: boolean): PythonValue {
  const { sep = null, maxsplit } = namedArguments(args, "sep", "maxsplit")
  const most = integerArgument(maxsplit, -1)
  if (sep === null) return splitWords(text, most, isReverse)
  const separator = textArgument(sep, "sep")
  if (separator === "") return fail("empty separator")
  const parts = text.split(separator)
  if (most < 0 || parts.length <= most + 1) return parts
  if (isReverse) {
    const first = parts.length - most
    return [parts.slice(0, first).join(separator), ...parts.slice(first)]
  }
  return [...parts.slice(0, most), parts.slice(most).join(separator)]
}

function splitWords(text: string, most: number, isReverse: boolean): PythonValue {
  const words = pythonWords(text)
  if (most < 0 || words.length <= most) return words.map(({ word }) => word)
  if (!isReverse) {
    const rest = words[most]
    const last = rest === undefined ? "" : pythonTrimStart(text.slice(rest.index))
    return [...words.slice(0, most).map(({ word }) => word), ...(rest === undefined ? [] : [last])]
  }
  const first = words.length - most
  const end = words[first]?.index ?? text.length
  const rest = pythonTrimEnd(pythonTrimStart(text.slice(0, end)))
  return [...(rest === "" ? [] : [rest]), ...words.slice(first).map(({ word }) => word)]
}

/** The ends of lines for Python's `str.splitlines`. */
// oxlint-disable-next-line no-control-regex -- control characters end lines in Python
export const LINE_END = /\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]/

// oxlint-disable-next-line no-control-regex -- control characters end lines in Python
const LINE = /([^\n\r\v\f\x1c-\x1e\x85\u2028\u2029]*)(\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]|$)/g

/** Does the same as Python's `str.splitlines`. */
export function splitLines(text: string, args: CallArguments): PythonValue {
  const { keepends = false } = namedArguments(args, "keepends")
  const keeps = isTrue(keepends)
  const lines: string[] = []
  for (const [whole, line = "", end] of text.matchAll(LINE)) {
    if (whole === "") break
    lines.push(keeps ? line + end : line)
  }
  return lines
}
