import { TemplateFailure } from "../../faults/template-fault.ts"
import { integerArgument, namedArguments, textArgument } from "../values/call-arguments.ts"
import { pythonText, representationOf } from "../values/python-text.ts"
import {
  type CallArguments,
  fail,
  isDict,
  iterate,
  itemsOf,
  type PythonObject,
  type PythonValue,
  pythonFunction,
} from "../values/python-value.ts"
import { formatDate, type TemplateDate } from "./format-date.ts"

const MAX_RANGE = 100_000

/** Returns the values that `transformers` gives to every chat template. */
export function chatGlobals(date: TemplateDate): ReadonlyMap<string, PythonValue> {
  return new Map<string, PythonValue>([
    ["range", pythonFunction(range)],
    ["dict", pythonFunction(dict)],
    ["namespace", pythonFunction(namespace)],
    ["cycler", pythonFunction(cycler)],
    ["joiner", pythonFunction(joiner)],
    [
      "strftime_now",
      pythonFunction((args) => formatDate(textArgument(namedArguments(args, "format").format, "format"), date)),
    ],
    [
      "raise_exception",
      pythonFunction((args) => {
        throw new TemplateFailure(`raises an exception: ${pythonText(namedArguments(args, "message").message ?? "")}`)
      }),
    ],
  ])
}

/** Does the same as Python's `range`, with at most 100,000 numbers, as Jinja's sandbox has it. */
function range(args: CallArguments): PythonObject {
  const numbers = args.positional.map((value) => integerArgument(value, 0))
  if (numbers.length === 0 || numbers.length > 3 || args.named.size > 0) fail("range() takes one to three numbers")
  const [start = 0, stop = 0, step = 1] = numbers.length === 1 ? [0, ...numbers] : numbers
  if (step === 0) fail("range() arg 3 must not be zero")
  const length = Math.max(0, Math.ceil((stop - start) / step))
  if (length > MAX_RANGE) fail(`range() of more than ${MAX_RANGE} numbers`)
  const items = Array.from({ length }, (_, index) => BigInt(start + index * step))
  const text = step === 1 ? `range(${start}, ${stop})` : `range(${start}, ${stop}, ${step})`
  return { kind: "object", type: "range", items: () => items, isSequence: true, text: () => text }
}

function dict({ positional: [first], named }: CallArguments): PythonValue {
  const pairs = first === undefined ? [] : isDict(first) ? [...first] : [...iterate(first)].map(pairOf)
  return new Map<PythonValue, PythonValue>([...pairs, ...named])
}

function pairOf(value: PythonValue): readonly [PythonValue, PythonValue] {
  const [key, item, ...rest] = itemsOf(value) ?? []
  if (key === undefined || item === undefined || rest.length > 0) return fail("dict() takes pairs")
  return [key, item]
}

function namespace(args: CallArguments): PythonObject {
  const values = new Map<string, PythonValue>()
  const given = dict(args)
  if (isDict(given)) for (const [key, value] of given) values.set(pythonText(key), value)
  return {
    kind: "object",
    type: "Namespace",
    attribute: (name) => values.get(name),
    setAttribute: (name, value) => void values.set(name, value),
    text: () => `<Namespace ${representationOf(new Map<PythonValue, PythonValue>(values))}>`,
  }
}

function cycler({ positional: items }: CallArguments): PythonObject {
  if (items.length === 0) fail("at least one item has to be provided")
  let at = 0
  const current = () => items[at] ?? null
  const attributes: Readonly<Record<string, () => PythonValue>> = {
    current,
    next: () =>
      pythonFunction(() => {
        const value = current()
        at = (at + 1) % items.length
        return value
      }),
    reset: () => pythonFunction(() => ((at = 0), null)),
  }
  const attribute = (name: string) => (Object.hasOwn(attributes, name) ? attributes[name]?.() : undefined)
  return { kind: "object", type: "Cycler", attribute }
}

function joiner(args: CallArguments): PythonObject {
  const { sep = ", " } = namedArguments(args, "sep")
  let isUsed = false
  const call = () => {
    const text = isUsed ? sep : ""
    isUsed = true
    return text
  }
  return { kind: "object", type: "Joiner", call }
}
