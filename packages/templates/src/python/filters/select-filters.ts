import {
  fail,
  isTrue,
  iterate,
  type CallArguments,
  type PythonIterator,
  type PythonValue,
} from "../values/python-value.ts"
import { attributeReader } from "./attribute-reader.ts"
import type { Filter, FilterContext, Filters } from "./filter.ts"

/** Creates an iterator that starts to read only when it is read itself, as Python's generators do. */
function generator(value: PythonValue, make: () => Iterable<PythonValue>): PythonIterator {
  // Jinja takes any false value, such as None, as an empty list here.
  function* values(): Generator<PythonValue> {
    if (isTrue(value)) yield* make()
  }
  return { kind: "iterator", values: values() }
}

function* filtered(value: PythonValue, isKept: (item: PythonValue) => boolean): Generator<PythonValue> {
  for (const item of iterate(value)) if (isKept(item)) yield item
}

/** Returns the test that the arguments name, or the truth of a value. */
function testOf({ positional: [name, ...rest], named }: CallArguments, context: FilterContext) {
  if (name === undefined) return isTrue
  const test = typeof name === "string" ? name : fail("the name of a test must be a text")
  return (item: PythonValue) => context.test(test, item, { positional: rest, named })
}

const select =
  (isSelected: boolean): Filter =>
  (value, args, context) => {
    const test = testOf(args, context)
    return generator(value, () => filtered(value, (item) => test(item) === isSelected))
  }

const selectByAttribute =
  (isSelected: boolean): Filter =>
  (value, { positional: [attribute, ...rest], named }, context) =>
    generator(value, () => {
      if (attribute === undefined) return fail("the name of an attribute is missing")
      const read = attributeReader(attribute)
      const test = testOf({ positional: rest, named }, context)
      return filtered(value, (item) => test(read(item)) === isSelected)
    })

const map: Filter = (value, { positional: [name, ...rest], named }, context) =>
  generator(value, () => {
    const change =
      name === undefined ? attributeChange(named) : filterChange(name, { positional: rest, named }, context)
    return mapped(value, change)
  })

function* mapped(value: PythonValue, change: (item: PythonValue) => PythonValue): Generator<PythonValue> {
  for (const item of iterate(value)) yield change(item)
}

function attributeChange(named: CallArguments["named"]): (item: PythonValue) => PythonValue {
  const attribute = named.get("attribute")
  if (attribute === undefined) return fail("'map' needs a filter or an attribute")
  return attributeReader(attribute, named.get("default"))
}

function filterChange(name: PythonValue, args: CallArguments, context: FilterContext) {
  const filter = typeof name === "string" ? name : fail("the name of a filter must be a text")
  return (item: PythonValue) => context.filter(filter, item, args)
}

/** The filters of Jinja that read a list item by item, when their own items are read. */
export const SELECT_FILTERS: Filters = [
  ["map", map],
  ["reject", select(false)],
  ["rejectattr", selectByAttribute(false)],
  ["select", select(true)],
  ["selectattr", selectByAttribute(true)],
]
