import { isEqual } from "../values/python-compare.ts"
import {
  type CallArguments,
  fail,
  type PythonObject,
  type PythonValue,
  pythonFunction,
  tuple,
  undefinedValue,
  valueOr,
} from "../values/python-value.ts"

interface LoopOptions {
  /** The number of loops around this one that are the same recursive loop. */
  readonly depth: number
  /** Renders the loop over another iterable. Undefined if the loop is not recursive. */
  readonly recurse: ((iterable: PythonValue) => PythonValue) | undefined
}

/** Creates the object `loop` of a loop over items. `moveTo` sets the index of each item before its body runs. */
export function loopObject(items: readonly PythonValue[], { depth, recurse }: LoopOptions) {
  let index = 0
  let last: PythonValue | undefined
  const item = (at: number) => valueOr(items[at], () => undefinedValue("there is no previous or next item"))

  const attributes: Readonly<Record<string, () => PythonValue>> = {
    index: () => BigInt(index + 1),
    index0: () => BigInt(index),
    revindex: () => BigInt(items.length - index),
    revindex0: () => BigInt(items.length - index - 1),
    first: () => index === 0,
    last: () => index === items.length - 1,
    length: () => BigInt(items.length),
    depth: () => BigInt(depth + 1),
    depth0: () => BigInt(depth),
    previtem: () => item(index - 1),
    nextitem: () => item(index + 1),
    cycle: () =>
      pythonFunction(({ positional }) =>
        valueOr(positional[index % positional.length], () => fail("no items for cycling given")),
      ),
    changed: () =>
      pythonFunction(({ positional }) => {
        const value = tuple(...positional)
        const isChanged = last === undefined || !isEqual(last, value)
        last = value
        return isChanged
      }),
  }
  const object: PythonObject = {
    kind: "object",
    type: "LoopContext",
    attribute: (name) => (Object.hasOwn(attributes, name) ? attributes[name]?.() : undefined),
    text: () => `<LoopContext ${index + 1}/${items.length}>`,
    ...(recurse === undefined
      ? {}
      : { call: ({ positional: [iterable] }: CallArguments) => recurse(iterable ?? null) }),
  }
  return { object, moveTo: (at: number) => void (index = at) }
}
